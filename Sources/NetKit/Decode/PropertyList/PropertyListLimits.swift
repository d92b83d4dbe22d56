import Foundation

/// The limits on property lists that are passed to Foundation.
///
/// Foundation parses nested lists recursively to any depth. It follows the references of a binary list even if many
/// lead to the same object. Without limits, a small body could crash the process or exhaust its memory.
enum PropertyListLimits {
    /// The maximum nesting depth of arrays and dictionaries.
    static let maximumDepth = 512

    /// Returns whether a body is UTF-8 XML or binary, and within the limits.
    ///
    /// Foundation decides whether it is a valid property list.
    static func permit(_ body: UnsafeRawBufferPointer) -> Bool {
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
