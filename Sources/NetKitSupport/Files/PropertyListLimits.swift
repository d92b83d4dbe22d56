import Foundation

/// The limits on property lists that are passed to Foundation.
///
/// Foundation parses nested lists recursively to any depth. It follows the references of a binary list even if many
/// lead to the same object. Without limits, a small body could crash the process or exhaust its memory.
package enum PropertyListLimits {
    /// The maximum nesting depth of arrays and dictionaries.
    static let maximumDepth = 512

    /// Returns whether a body is UTF-8 XML or binary, and within the limits.
    ///
    /// Foundation decides whether it is a valid property list.
    package static func permit(_ body: UnsafeRawBufferPointer) -> Bool {
        if body.starts(with: "bplist".utf8) {
            return BinaryPropertyList(body)?.isWithinLimits ?? false
        }
        return isShallowXML(body)
    }

    private static func isShallowXML(_ text: UnsafeRawBufferPointer) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var index = text.starts(with: mark) ? mark.count : 0
        while index < text.count, text[index].isJSONWhiteSpace { index += 1 }
        // Refuses Foundation's third format, which is unused, and charsets that encode tags differently. Bytes that
        // aren't UTF-8 can end the process on Linux.
        guard index < text.count, text[index] == UInt8(ascii: "<"), isUTF8(text[index...]),
            String(bytes: text, encoding: .utf8) != nil
        else { return false }
        var depth = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            let tag = text[(index + 1)...]
            index += 1
            if let end = skippedEnd(of: tag) {
                index = end
            } else if tag.starts(with: "/array".utf8) || tag.starts(with: "/dict".utf8) {
                depth = max(depth - 1, 0)
            } else if tag.starts(with: "array".utf8), !isEmpty(tag.dropFirst(5)) {
                depth += 1
            } else if tag.starts(with: "dict".utf8), !isEmpty(tag.dropFirst(4)) {
                depth += 1
            }
            guard depth <= maximumDepth else { return false }
        }
        return true
    }

    /// Returns the end of a comment, a CDATA section, or a processing instruction.
    ///
    /// Returns nil for any other tag. If there is no end, it is the end of the text.
    private static func skippedEnd(of tag: Slice<UnsafeRawBufferPointer>) -> Int? {
        for (start, end) in [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
        where tag.starts(with: start.utf8) {
            let end = Array(end.utf8)
            var index = tag.startIndex + start.utf8.count
            while index + end.count <= tag.endIndex {
                if tag[index..<index + end.count].elementsEqual(end) { return index + end.count }
                index += 1
            }
            return tag.endIndex
        }
        return nil
    }

    /// Returns whether a tag, after its name, has neither content nor attributes.
    private static func isEmpty(_ tag: Slice<UnsafeRawBufferPointer>) -> Bool {
        tag.drop(while: \.isJSONWhiteSpace).starts(with: "/>".utf8)
    }

    private static func isUTF8(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard !text.contains(0) else { return false }
        guard text.starts(with: "<?xml".utf8) else { return true }
        let declaration = String(decoding: text.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            .lowercased()
        return !declaration.contains("encoding") || declaration.contains("utf-8")
    }
}

/// A reader of a binary property list's object sizes and references.
struct BinaryPropertyList {
    private static let trailerLength = 32

    private let bytes: UnsafeRawBufferPointer
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int

    /// Parses the trailer, or returns nil if it is invalid.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 + Self.trailerLength else { return nil }
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerLength
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard let count = Self.integer(bytes, at: trailer + 8, size: 8),
            let top = Self.integer(bytes, at: trailer + 16, size: 8),
            let table = Self.integer(bytes, at: trailer + 24, size: 8),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < count,
            table <= trailer, count <= (trailer - table) / offsetSize
        else { return nil }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Whether the nesting and the expanded size of the list are within the limits.
    var isWithinLimits: Bool {
        // Unshared objects cost at most their bytes and references. The rest allows for usual sharing.
        var budget = 32 * bytes.count + 1 << 16
        guard let root = size(of: top) else { return false }
        var open = [root]
        while var container = open.popLast() {
            guard container.references > 0 else { continue }
            guard open.count < PropertyListLimits.maximumDepth,
                let next = Self.integer(bytes, at: container.start, size: referenceSize),
                next < count, let size = size(of: next)
            else { return false }
            budget -= 1 + size.bytes
            guard budget >= 0 else { return false }
            container.references -= 1
            container.start += referenceSize
            open.append(container)
            if size.references > 0 { open.append(size) }
        }
        return true
    }

    /// The size of an object: its own bytes, and its references, which begin at `start`.
    private struct Size {
        let bytes: Int
        var start: Int
        var references = 0
    }

    /// Returns the size of an object, or nil if it is invalid.
    private func size(of object: Int) -> Size? {
        guard let offset = Self.integer(bytes, at: table + object * offsetSize, size: offsetSize),
            offset < table
        else { return nil }
        let marker = bytes[offset]
        var start = offset + 1
        var length = Int(marker & 0x0F)
        // For data, strings, and containers, 15 means that the length follows as an integer.
        if marker >> 4 >= 0x4, marker >> 4 != 0x8, length == 0x0F {
            guard start < table, bytes[start] >> 4 == 0x1 else { return nil }
            let size = 1 << Int(bytes[start] & 0x0F)
            guard size <= 8, let long = Self.integer(bytes, at: start + 1, size: size) else {
                return nil
            }
            length = long
            start += 1 + size
        }
        // Contents end before the table. Foundation checks only half of a UTF-16 string's.
        guard length <= bytes.count, start + extent(marker, length) <= table else {
            return nil
        }
        // Refuses the objects that Foundation reports with an internal error.
        switch marker >> 4 {
        case 0x0, 0x1, 0x2, 0x3, 0x8:
            return Self.isScalar(marker) ? Size(bytes: 16, start: start) : nil
        case 0x4, 0x5: return Size(bytes: length, start: start)
        case 0x6: return Size(bytes: 2 * length, start: start)
        case 0xA, 0xC: return Size(bytes: length, start: start, references: length)
        case 0xD: return Size(bytes: 2 * length, start: start, references: 2 * length)
        default: return nil
        }
    }

    /// Whether an object is null, a Boolean, an integer, a real number, a date, or a UID.
    private static func isScalar(_ marker: UInt8) -> Bool {
        switch marker {
        case 0x00, 0x08, 0x09, 0x10...0x14, 0x22, 0x23, 0x33, 0x80...0x8F: true
        default: false
        }
    }

    /// The number of bytes of the contents.
    private func extent(_ marker: UInt8, _ length: Int) -> Int {
        switch marker >> 4 {
        case 0x1, 0x2, 0x3: 1 << length
        case 0x4, 0x5: length
        case 0x6: 2 * length
        case 0x8: 1 + length
        case 0xA, 0xC: length * referenceSize
        case 0xD: 2 * length * referenceSize
        default: 0
        }
    }

    /// Returns a big-endian integer, or nil if it is out of bounds or exceeds `Int`.
    private static func integer(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int,
        size: Int
    ) -> Int? {
        guard offset <= bytes.count - size else { return nil }
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
