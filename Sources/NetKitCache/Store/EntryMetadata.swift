import Foundation
import NetKit

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
