import Foundation
import NetKit

/// An opened entry file, whose content isn't trusted.
struct EntryFile: Sendable {
    /// The maximum length of a body that is read at once.
    static let longestData: Int64 = 256 << 10
    /// The maximum length of a file that is read at once.
    private static let longestWhole: Int64 = longestData + 64 << 10
    /// The number of bytes to read from the end of a longer file.
    private static let tail = 4 << 10

    let trailer: EntryTrailer
    let head: StoredHead
    /// The verified body, or nil for a long one.
    let body: Data?

    /// Reads an open file, or returns nil if it is damaged or has another version.
    init?(_ descriptor: Int32, length: Int64) {
        guard length >= EntryTrailer.leastLength else { return nil }
        let isWhole = length <= Self.longestWhole
        let tail = isWhole ? Int(length) : Self.tail
        let parts = withUnsafeTemporaryAllocation(byteCount: tail, alignment: 8) {
            buffer -> (EntryTrailer, StoredHead, Data?)? in
            guard pread(descriptor, all: buffer, at: length - Int64(tail)) == nil else {
                return nil
            }
            let bytes = UnsafeRawBufferPointer(buffer)
            guard let trailer = EntryTrailer(endOf: bytes, fileLength: length),
                let head = Self.head(descriptor, trailer, tail: bytes)
            else { return nil }
            guard trailer.bodyLength <= Self.longestData else { return (trailer, head, nil) }
            let body = isWhole ? Self.body(in: bytes, trailer) : Self.body(descriptor, trailer)
            return body.map { (trailer, head, $0) }
        }
        guard let parts else { return nil }
        (trailer, head, body) = parts
    }

    /// Returns the head from the end of the file, with a separate read if necessary.
    private static func head(
        _ descriptor: Int32,
        _ trailer: EntryTrailer,
        tail: UnsafeRawBufferPointer
    ) -> StoredHead? {
        func parse(_ metadata: UnsafeRawBufferPointer) -> StoredHead? {
            trailer.closes(metadata) ? EntryMetadata.head(in: metadata) : nil
        }
        let end = tail.count - EntryTrailer.length
        if trailer.metadataLength <= end {
            let range = end - trailer.metadataLength..<end
            return parse(UnsafeRawBufferPointer(rebasing: tail[range]))
        }
        return withUnsafeTemporaryAllocation(byteCount: trailer.metadataLength, alignment: 8) {
            guard pread(descriptor, all: $0, at: trailer.bodyEnd) == nil else { return nil }
            return parse(UnsafeRawBufferPointer($0))
        }
    }

    /// Returns the body of a short file with long metadata.
    private static func body(_ descriptor: Int32, _ trailer: EntryTrailer) -> Data? {
        withUnsafeTemporaryAllocation(byteCount: Int(trailer.bodyEnd), alignment: 8) {
            guard pread(descriptor, all: $0, at: 0) == nil else { return nil }
            return body(in: UnsafeRawBufferPointer($0), trailer)
        }
    }

    /// Returns the body from bytes that include its end.
    private static func body(in bytes: UnsafeRawBufferPointer, _ trailer: EntryTrailer) -> Data? {
        guard isOpening(bytes) else { return nil }
        let range = EntryTrailer.openingLength..<Int(trailer.bodyEnd)
        let body = UnsafeRawBufferPointer(rebasing: bytes[range])
        return XXH64.digest(of: body) == trailer.bodyDigest ? Data(body) : nil
    }

    /// Returns whether bytes begin with the opening mark.
    static func isOpening(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= EntryTrailer.openingLength else { return false }
        return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) == EntryTrailer.opening
    }
}

/// Fills a buffer with bytes of a file.
///
/// - Parameters:
///   - descriptor: The descriptor of the file.
///   - buffer: The buffer to fill.
///   - offset: The offset in the file.
/// - Returns: The `errno` value of the failure, or nil if the buffer is full.
func pread(
    _ descriptor: Int32,
    all buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
) -> Int32? {
    var filled = 0
    while filled < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
        if count < 0, errno == EINTR { continue }
        // The file became shorter.
        guard count > 0 else { return count < 0 ? errno : EIO }
        filled += count
    }
    return nil
}
