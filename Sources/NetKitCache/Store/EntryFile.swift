import Foundation
import NetKit
import NetKitSupport

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

/// The binary format of a stored response's head.
///
/// Numbers are little-endian. Texts are UTF-8, preceded by their length.
enum EntryMetadata {
    /// The maximum length of a head in bytes.
    static let maximumLength = 1 << 20
    /// The maximum number of header fields.
    private static let maximumFields = 1024
    /// About 3000 years in seconds.
    ///
    /// Later dates are damaged data.
    private static let latestDate = 1e11

    /// Encodes a head, or returns nil if it is too long or invalid.
    static func bytes(of head: StoredHead) -> [UInt8]? {
        let dates = [head.requestDate, head.responseDate].map(\.timeIntervalSinceReferenceDate)
        let fields = head.headers.fields
        guard dates.allSatisfy({ abs($0) <= latestDate }),
            max(fields.count, head.selectors.count) <= maximumFields
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        bytes.append(head.key.url)
        bytes.append(head.key.partition)
        bytes.appendNumber(UInt64(bitPattern: Int64(head.status.rawValue)))
        for date in dates { bytes.appendNumber(date.bitPattern) }
        bytes.appendNumber(UInt32(truncatingIfNeeded: head.selectors.count))
        for selector in head.selectors {
            bytes.append(selector.name)
            bytes.append(UInt8(selector.value == nil ? 0 : 1))
            if let value = selector.value { bytes.append(value) }
        }
        bytes.appendNumber(UInt32(truncatingIfNeeded: fields.count))
        for field in fields {
            bytes.append(field.name.rawName)
            bytes.append(field.value)
            bytes.append(UInt8(field.isSensitive ? 1 : 0))
        }
        return bytes.count <= maximumLength ? bytes : nil
    }

    /// Decodes a head, or returns nil if the bytes are invalid.
    static func head(in bytes: UnsafeRawBufferPointer) -> StoredHead? {
        guard bytes.count <= maximumLength else { return nil }
        var reader = EntryMetadataReader(bytes)
        guard let url = reader.text(), let partition = reader.text(),
            let status = reader.number(UInt64.self).map({ Int(Int64(bitPattern: $0)) }),
            let requestDate = date(&reader), let responseDate = date(&reader),
            let selectors = selectors(&reader), let headers = headers(&reader), reader.isAtEnd
        else { return nil }
        return StoredHead(
            key: CacheKey(url: url, partition: partition),
            selectors: selectors,
            status: HTTPStatus(rawValue: status),
            headers: headers,
            requestDate: requestDate,
            responseDate: responseDate
        )
    }

    private static func date(_ reader: inout EntryMetadataReader) -> Date? {
        guard let seconds = reader.number(UInt64.self).map({ Double(bitPattern: $0) }),
            abs(seconds) <= latestDate
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private static func selectors(_ reader: inout EntryMetadataReader) -> [StoredHead.Selector]? {
        guard let count = reader.number(UInt32.self), count <= maximumFields else { return nil }
        var selectors: [StoredHead.Selector] = []
        for _ in 0..<count {
            guard let name = reader.text(), let mark = reader.number(UInt8.self) else { return nil }
            switch mark {
            case 0: selectors.append(StoredHead.Selector(name: name, value: nil))
            case 1:
                guard let value = reader.text() else { return nil }
                selectors.append(StoredHead.Selector(name: name, value: value))
            default: return nil
            }
        }
        return selectors
    }

    private static func headers(_ reader: inout EntryMetadataReader) -> HTTPHeaders? {
        guard let count = reader.number(UInt32.self), count <= maximumFields else { return nil }
        var headers = HTTPHeaders()
        for _ in 0..<count {
            guard let name = reader.text().map({ HTTPHeaderName($0) }), let value = reader.text(),
                let mark = reader.number(UInt8.self), mark <= 1
            else { return nil }
            if mark == 1, headers[name] == nil {
                headers.set(name, to: value, isSensitive: true)
            } else {
                headers.append(value, for: name)
            }
        }
        return headers
    }
}

/// A bounds-checked reader of numbers and texts.
struct EntryMetadataReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    /// Reads the next number, or returns nil if too few bytes are left.
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type
    ) -> Number? {
        guard bytes.count - offset >= MemoryLayout<Number>.size else { return nil }
        defer { offset += MemoryLayout<Number>.size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Reads the next text, or returns nil if its length exceeds the remaining bytes.
    mutating func text() -> String? {
        guard let length = number(UInt32.self).map({ Int($0) }), length <= bytes.count - offset
        else { return nil }
        defer { offset += length }
        return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    mutating func appendNumber(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a text after its length.
    ///
    /// An oversized length makes the metadata too long, which the caller detects at the end.
    fileprivate mutating func append(_ text: String) {
        appendNumber(UInt32(truncatingIfNeeded: text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

/// The end of an entry's file, which describes the rest.
///
/// A file consists of the opening mark, the body, the metadata, and the trailer. The body is written while it arrives,
/// and the trailer completes the file. The marks, the lengths, and two digests reveal any change: one of the body, and
/// one of the metadata, the lengths, and the body's digest.
struct EntryTrailer: Equatable {
    /// The first bytes of a file, which include the version of the format.
    static let opening: UInt64 = 0x3130_6863_6143_4B4E
    /// The last bytes of a file.
    private static let closing: UInt64 = 0x3130_646E_4543_4B4E
    /// The length of the opening mark in bytes.
    static let openingLength = 8
    /// The length of a trailer in bytes.
    static let length = 40
    /// The length of a file with empty body and metadata.
    static let leastLength = Int64(openingLength + length)

    let bodyLength: Int64
    let metadataLength: Int
    let bodyDigest: UInt64
    private let metadataDigest: UInt64

    /// Creates the trailer for a body and metadata.
    init(bodyLength: Int64, bodyDigest: UInt64, metadata: UnsafeRawBufferPointer) {
        self.bodyLength = bodyLength
        self.bodyDigest = bodyDigest
        metadataLength = metadata.count
        metadataDigest = Self.digest(bodyLength, bodyDigest, metadata)
    }

    /// Parses a trailer.
    ///
    /// Returns nil if the bytes aren't a trailer or belong to a file of another length.
    ///
    /// - Parameters:
    ///   - bytes: The end of the file.
    ///   - fileLength: The length of the whole file.
    init?(endOf bytes: UnsafeRawBufferPointer, fileLength: Int64) {
        guard bytes.count >= Self.length else { return nil }
        var reader = EntryMetadataReader(
            UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - Self.length)...])
        )
        guard let bodyLength = reader.number(UInt64.self).flatMap({ Int64(exactly: $0) }),
            let metadataLength = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
            let bodyDigest = reader.number(UInt64.self),
            let metadataDigest = reader.number(UInt64.self),
            reader.number(UInt64.self) == Self.closing,
            metadataLength <= EntryMetadata.maximumLength
        else { return nil }
        let (length, overflows) = (Self.leastLength + Int64(metadataLength))
            .addingReportingOverflow(bodyLength)
        guard !overflows, length == fileLength else { return nil }
        self.bodyLength = bodyLength
        self.metadataLength = metadataLength
        self.bodyDigest = bodyDigest
        self.metadataDigest = metadataDigest
    }

    /// The offset where the body ends and the metadata begins.
    var bodyEnd: Int64 { Int64(Self.openingLength) + bodyLength }

    /// Returns whether the trailer matches the metadata.
    func closes(_ metadata: UnsafeRawBufferPointer) -> Bool {
        metadata.count == metadataLength
            && Self.digest(bodyLength, bodyDigest, metadata) == metadataDigest
    }

    /// Returns the bytes that follow the body.
    static func end(of metadata: [UInt8], bodyLength: Int64, bodyDigest: UInt64) -> [UInt8] {
        let trailer = metadata.withUnsafeBytes {
            EntryTrailer(bodyLength: bodyLength, bodyDigest: bodyDigest, metadata: $0)
        }
        var bytes = metadata
        bytes.appendNumber(UInt64(bitPattern: bodyLength))
        bytes.appendNumber(UInt64(metadata.count))
        bytes.appendNumber(bodyDigest)
        bytes.appendNumber(trailer.metadataDigest)
        bytes.appendNumber(closing)
        return bytes
    }

    private static func digest(
        _ bodyLength: Int64,
        _ bodyDigest: UInt64,
        _ metadata: UnsafeRawBufferPointer
    ) -> UInt64 {
        var hash = XXH64()
        hash.add(metadata)
        let numbers = [
            UInt64(bitPattern: bodyLength), UInt64(metadata.count), bodyDigest,
        ]
        numbers.map(\.littleEndian).withUnsafeBytes { hash.add($0) }
        return hash.digest
    }
}

/// A long body that is read from its file in pieces.
final class EntryBody: StoredFile {
    /// The number of bytes to check at a time.
    private static let portion = 256 << 10

    let count: Int64
    private let descriptor: Int32
    private let digest: UInt64
    private let queue: FileQueue

    /// Takes ownership of a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of an open entry.
    ///   - trailer: The entry's trailer.
    ///   - path: The path that identifies its queue.
    init(_ descriptor: Int32, _ trailer: EntryTrailer, path: String) {
        self.descriptor = descriptor
        count = trailer.bodyLength
        digest = trailer.bodyDigest
        queue = FileQueue.of(path)
    }

    deinit { close(descriptor) }

    /// Reads the whole body and returns whether it is intact.
    func isWhole() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.add { continuation.resume(returning: self.check()) }
        }
    }

    private func check() -> Bool {
        var hash = XXH64()
        let opening = EntryTrailer.openingLength
        let isOpening = withUnsafeTemporaryAllocation(byteCount: opening, alignment: 8) {
            pread(descriptor, all: $0, at: 0) == nil
                && EntryFile.isOpening(UnsafeRawBufferPointer($0))
        }
        guard isOpening else { return false }
        return withUnsafeTemporaryAllocation(byteCount: Self.portion, alignment: 8) { buffer in
            var offset: Int64 = 0
            while offset < count {
                let length = Int(min(Int64(Self.portion), count - offset))
                let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
                guard pread(descriptor, all: piece, at: Int64(opening) + offset) == nil else {
                    return false
                }
                hash.add(UnsafeRawBufferPointer(piece))
                offset += Int64(length)
            }
            return hash.digest == digest
        }
    }

    func read(at offset: Int64, count: Int) async throws -> Data {
        try await queue.run { try self.data(at: offset, count: count) }
    }

    private func data(at offset: Int64, count: Int) throws -> Data {
        let offset = min(max(offset, 0), self.count)
        let length = Int(min(Int64(max(count, 0)), self.count - offset))
        var data = Data(count: length)
        let code = data.withUnsafeMutableBytes {
            pread(descriptor, all: $0, at: Int64(EntryTrailer.openingLength) + offset)
        }
        if let code { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return data
    }
}
