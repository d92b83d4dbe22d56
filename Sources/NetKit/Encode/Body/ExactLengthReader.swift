/// A reader that fails if a body's length isn't the announced one.
///
/// It holds the last bytes back until it knows that no more follow, so that a request with a wrong length is never
/// complete.
package final class ExactLengthReader: BodyReader {
    private let reader: any BodyReader
    private let length: Int64
    private var count: Int64 = 0

    private init(_ reader: any BodyReader, length: Int64) {
        self.reader = reader
        self.length = length
    }

    /// Creates a source whose readers check the length of another source.
    ///
    /// - Parameter source: The source. Bytes in memory, a file and a sequence have a length that is right already, or
    ///   checked elsewhere.
    /// - Returns: The source, which throws ``InvalidRequest`` while it is read.
    package static func source(checking source: BodySource) -> BodySource {
        guard source.data == nil, source.file == nil, source.sequence == nil else { return source }
        return BodySource(length: source.length) {
            ExactLengthReader(try source.open(), length: source.length)
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = Int(min(Int64(buffer.count), length - count))
        guard wanted > 0 else { return 0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        // A custom reader could claim more than there was room for.
        let read = min(max(0, try reader.read(into: room)), wanted)
        guard read > 0 else { throw wrongLength(count) }
        count += Int64(read)
        if count == length {
            let more = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
                try reader.read(into: $0)
            }
            guard more <= 0 else { throw wrongLength(count + 1) }
        }
        return read
    }

    private func wrongLength(_ count: Int64) -> InvalidRequest {
        let size = count > length ? "more than \(length)" : "\(count)"
        return InvalidRequest(
            .wrongLength(count, announced: length),
            "a source of \(size) bytes, announced as \(length)"
        )
    }

    package func close() {
        reader.close()
    }
}
