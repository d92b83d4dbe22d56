import Foundation
import NetKitSupport

#if canImport(FoundationNetworking)
/// Gives a ``BodySource`` to URLSession as a stream with a known length.
///
/// URLSession reads on a work queue that all sessions of the process share. A read may take as long as a disk access
/// but must never wait for anything else.
final class BodyInputStream: InputStream {
    private let source: BodySource
    private var reader: (any BodyReader)?
    private var remaining: Int64
    private var status: Stream.Status = .notOpen
    private let failure: Locked<(any Error)?>
    private let onSent: @Sendable (Int64) -> Void

    /// Creates a stream that can be read once.
    ///
    /// - Parameters:
    ///   - source: The body to read.
    ///   - failure: Receives the error if reading fails.
    ///   - onSent: A closure that receives the number of bytes read so far.
    init(
        _ source: BodySource,
        failure: Locked<(any Error)?>,
        onSent: @escaping @Sendable (Int64) -> Void
    ) {
        (self.source, self.failure, self.onSent) = (source, failure, onSent)
        remaining = source.length
        super.init(data: Data())
    }

    // URLSession doesn't close every stream that it has opened, such as one of a connection that was lost.
    deinit { reader?.close() }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure.withLock { $0 } }
    /// Whether URLSession should read, which includes the case that opening failed.
    ///
    /// URLSession treats `false` as the end of the body and waits for a response. It notices the failure only by
    /// reading.
    override var hasBytesAvailable: Bool {
        (status == .open || status == .error) && remaining > 0
    }

    override func open() {
        guard status == .notOpen else { return }
        do {
            reader = try source.open()
            status = .open
        } catch {
            fail(error)
        }
    }

    override func close() {
        reader?.close()
        reader = nil
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard let reader, status == .open else { return status == .error ? -1 : 0 }
        let wanted = Int(min(Int64(maxLength), remaining))
        guard wanted > 0 else { return 0 }
        do {
            let count = try reader.readBounded(
                into: UnsafeMutableRawBufferPointer(start: buffer, count: wanted)
            )
            guard count > 0 else { throw BodyTooShort(missing: remaining) }
            remaining -= Int64(count)
            if remaining == 0 { status = .atEnd }
            onSent(source.length - remaining)
            return count
        } catch {
            fail(error)
            return -1
        }
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    private func fail(_ error: any Error) {
        failure.withLock { $0 = error }
        // URLSession doesn't close a failed stream.
        reader?.close()
        reader = nil
        status = .error
    }
}
#else
/// Gives a ``BodySource`` to URLSession on Apple platforms, where streams can't be subclassed.
enum BoundBodyStream {
    private static let chunkSize = 64 * 1024

    /// The end of a stream that is written to.
    private struct Sink: @unchecked Sendable {
        // Proof: the block that fills the stream is its only user.
        let stream: OutputStream
    }

    /// Creates a stream that a separate queue fills from `source` while URLSession reads it.
    ///
    /// - Parameters:
    ///   - source: The body to read.
    ///   - failure: Receives the error if reading fails.
    ///   - onFailure: A closure that is called then, because URLSession takes the end of the stream for that of the body.
    /// - Returns: The stream, or nil without memory.
    static func stream(
        of source: BodySource,
        failure: Locked<(any Error)?>,
        onFailure: @escaping @Sendable () -> Void
    ) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(
            withBufferSize: chunkSize,
            inputStream: &input,
            outputStream: &output
        )
        guard let output else { return input }
        let sink = Sink(stream: output)
        DispatchQueue(label: "NetKit.body")
            .async {
                sink.stream.open()
                defer { sink.stream.close() }
                do {
                    try pump(source, into: sink.stream)
                } catch {
                    failure.withLock { $0 = error }
                    onFailure()
                }
            }
        return input
    }

    private static func pump(_ source: BodySource, into sink: OutputStream) throws {
        let reader = try source.open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: chunkSize)
        var sent: Int64 = 0
        while sent < source.length {
            let wanted = Int(min(Int64(chunkSize), source.length - sent))
            let count = try buffer.withUnsafeMutableBytes { bytes in
                try reader.readBounded(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
                )
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
        }
    }
}
#endif
