/// What a property list may be, so that Foundation can be given it.
///
/// Foundation reads lists within lists by recursion, to any depth, and follows the references of a binary list however
/// often they lead to the same place: a body of few bytes would end the process or fill the memory.
enum PropertyListLimits {
    /// How many arrays and dictionaries may stand within each other.
    static let maximumDepth = 512

    /// Whether a body is XML in UTF-8, or binary, and within the limits.
    ///
    /// Whether it is a property list at all is left to Foundation.
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
        // Foundation knows a third format, which nothing sends, and charsets in which tags look otherwise.
        guard index < text.count, text[index] == UInt8(ascii: "<"), isUTF8(text[index...]) else {
            return false
        }
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

    /// The index behind what may hold tags that are none: a comment, a CDATA section, a processing instruction.
    ///
    /// Nil if a tag begins otherwise. What does not end, ends with the text.
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

    /// Whether a tag, from behind its name, has neither content nor attributes.
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
