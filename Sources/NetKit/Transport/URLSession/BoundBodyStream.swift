#if !canImport(FoundationNetworking)
import Foundation

/// Gives a ``BodySource`` to URLSession on Apple platforms, where streams can't be subclassed.
enum BoundBodyStream {
    private static let chunkSize = 64 * 1024

    /// Creates a stream that a separate queue fills from `source` while URLSession reads it.
    static func stream(
        of source: BodySource,
        failure: Locked<(any Error)?>,
        onSent: @escaping @Sendable (Int64) -> Void
    ) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(
            withBufferSize: chunkSize,
            inputStream: &input,
            outputStream: &output
        )
        guard let output else { return input }
        // Proof: the stream is handed over, and the block below is its only user.
        nonisolated(unsafe) let sink = output
        DispatchQueue(label: "NetKit.body")
            .async {
                sink.open()
                defer { sink.close() }
                do {
                    try pump(source, into: sink, onSent: onSent)
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        return input
    }

    private static func pump(
        _ source: BodySource,
        into sink: OutputStream,
        onSent: (Int64) -> Void
    ) throws {
        let reader = try source.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: chunkSize)
        var sent: Int64 = 0
        while sent < source.length {
            let wanted = Int(min(Int64(chunkSize), source.length - sent))
            let count = try buffer.withUnsafeMutableBytes { bytes in
                try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]))
            }
            guard count > 0 else { throw BodyTooShort(missing: source.length - sent) }
            var written = 0
            while written < count {
                let step = buffer.withUnsafeBufferPointer { bytes in
                    bytes.baseAddress.map { sink.write($0 + written, maxLength: count - written) }
                        ?? 0
                }
                guard step > 0 else { return }
                written += step
            }
            sent += Int64(count)
            onSent(sent)
        }
    }
}
#endif
