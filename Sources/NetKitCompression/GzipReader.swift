internal import CNetKitZlib
internal import NetKit

/// A reader that compresses the bytes of another reader while it is read (RFC 1952).
///
/// It holds one buffer of 64 KiB and zlib's window, whatever the length of the body. Equal bytes are compressed to equal
/// files.
final class GzipReader: BodyReader {
    /// The size of the buffer for the bytes of the other reader.
    private static let bufferSize = 64 << 10

    private let reader: any BodyReader
    private let file: OpaquePointer
    private var input = [UInt8](repeating: 0, count: bufferSize)
    /// The bytes in the buffer that aren't compressed yet.
    private var pending = 0..<0
    /// Whether the other reader has no more bytes.
    private var isAtEnd = false
    private var isComplete = false

    /// Creates a reader.
    ///
    /// - Parameter reader: The reader to compress, which closes with this one.
    /// - Throws: ``GzipFailure`` without zlib or memory. The reader is closed then.
    init(_ reader: any BodyReader) throws(GzipFailure) {
        guard let file = nk_gzip_new() else {
            reader.close()
            throw GzipFailure()
        }
        self.reader = reader
        self.file = file
    }

    deinit { nk_gzip_free(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        while !isComplete {
            if pending.isEmpty, !isAtEnd {
                let count = try input.withUnsafeMutableBytes { try reader.read(into: $0) }
                pending = 0..<min(max(0, count), input.count)
                isAtEnd = pending.isEmpty
            }
            var (read, written) = (pending.count, buffer.count)
            let result = input.withUnsafeBytes { bytes in
                nk_gzip_write(
                    file,
                    bytes.baseAddress?.advanced(by: pending.lowerBound),
                    &read,
                    start,
                    &written,
                    isAtEnd
                )
            }
            pending = (pending.lowerBound + read)..<pending.upperBound
            isComplete = result == Int32(NK_GZIP_END)
            // A step that neither takes nor returns bytes would be repeated forever.
            guard result != Int32(NK_GZIP_FAILED), read > 0 || written > 0 || isComplete else {
                throw GzipFailure()
            }
            if written > 0 { return written }
        }
        return 0
    }

    func close() {
        reader.close()
    }
}

/// An error of zlib: it is missing or out of memory.
struct GzipFailure: Error {}
