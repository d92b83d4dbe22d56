import Foundation

/// An entry's file, open and read as far as it is needed, with nothing in it trusted.
struct EntryFile: Sendable {
    /// The longest body that is read at once.
    static let longestData: Int64 = 256 << 10
    /// The longest file that is read at once.
    private static let longestWhole: Int64 = longestData + 64 << 10
    /// What is read of the end of longer files.
    private static let tail = 4 << 10

    let trailer: EntryTrailer
    let head: StoredHead
    /// The body, checked; nil of a long one.
    let body: Data?

    /// Reads an open file.
    ///
    /// - Returns: Nil for a file that is damaged, or of another version.
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

    /// The head, from the end of the file or, where that is too short, read for itself.
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

    /// The body of a short file with long metadata.
    private static func body(_ descriptor: Int32, _ trailer: EntryTrailer) -> Data? {
        withUnsafeTemporaryAllocation(byteCount: Int(trailer.bodyEnd), alignment: 8) {
            guard pread(descriptor, all: $0, at: 0) == nil else { return nil }
            return body(in: UnsafeRawBufferPointer($0), trailer)
        }
    }

    /// The body of a file that is there as far as the body's end.
    private static func body(in bytes: UnsafeRawBufferPointer, _ trailer: EntryTrailer) -> Data? {
        guard isOpening(bytes) else { return nil }
        let range = EntryTrailer.openingLength..<Int(trailer.bodyEnd)
        let body = UnsafeRawBufferPointer(rebasing: bytes[range])
        return XXH64.digest(of: body) == trailer.bodyDigest ? Data(body) : nil
    }

    /// Whether bytes begin with the opening mark.
    static func isOpening(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= EntryTrailer.openingLength else { return false }
        return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) == EntryTrailer.opening
    }
}

/// Fills a buffer with the bytes of a file.
///
/// - Returns: The system's error number; nil if all of it was filled.
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
        // Nothing more is there of what was: the file became shorter.
        guard count > 0 else { return count < 0 ? errno : EIO }
        filled += count
    }
    return nil
}
