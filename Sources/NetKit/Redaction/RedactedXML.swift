/// Hides texts and attributes of XML, and of HTML, by the names of elements and attributes.
///
/// It reads tags, not documents: what is not well-formed is served as well. A secret element is hidden up to its own
/// end, and to the end of the text where that is missing. Text in a tag that is no attribute hides the tag's content.
struct RedactedXML {
    private struct Attribute {
        let name: ArraySlice<UInt8>
        /// Nil for a name alone.
        let value: ArraySlice<UInt8>?
        var isQuoted = false

        /// Whether it looks like one: other text in a tag may say anything.
        var isMarkup: Bool {
            if let value { return isQuoted || value.last != UInt8(ascii: ":") }
            return name.allSatisfy {
                WordTable.letter($0) != nil || $0 >= 0x80 || (0x30...0x39).contains($0)
                    || "-_.".utf8.contains($0)
            }
        }
    }

    private let bytes: ArraySlice<UInt8>
    private let redactor: Redactor
    private var edits: Edits
    private var index: Int
    /// The element that is hidden, and how many of its name are open.
    private var hidden: (name: ArraySlice<UInt8>, count: Int)?
    /// Whether the text here names what the next element holds, as in `<key>password</key>`.
    private var isNaming = false
    /// Whether the next element holds what was named.
    private var isNamed = false

    /// A text without what is hidden.
    ///
    /// - Parameters:
    ///   - bytes: The text, or the first part of it.
    ///   - redactor: What is hidden.
    ///   - isDocument: Whether text that does not begin with a tag is no XML. Defaults to true.
    /// - Returns: The text; nil if it is no XML.
    static func bytes(
        _ bytes: ArraySlice<UInt8>,
        by redactor: Redactor,
        isDocument: Bool = true
    ) -> [UInt8]? {
        redactor.effort.add(bytes.count)
        var start = bytes.startIndex
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
        start = bytes[start...].firstIndex { !$0.isBlank } ?? bytes.endIndex
        guard !isDocument || beginsTag(at: start, in: bytes) else { return nil }
        var xml = RedactedXML(bytes: bytes, redactor: redactor, edits: Edits(bytes), index: start)
        return xml.redact() ? xml.edits.edited : nil
    }

    /// Whether a tag, a comment or the like begins at a place.
    static func beginsTag(at index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        guard index + 1 < bytes.endIndex, bytes[index] == UInt8(ascii: "<") else { return false }
        let next = bytes[index + 1]
        return WordTable.letter(next) != nil || next >= 0x80 || "!?/_".utf8.contains(next)
    }

    /// False if there are declarations, which may say anything.
    private mutating func redact() -> Bool {
        while index < bytes.endIndex {
            if !Self.beginsTag(at: index, in: bytes) {
                text()
            } else if starts(with: "<!--") {
                section(behind: 4, upTo: "-->")
            } else if starts(with: "<![CDATA[") {
                section(behind: 9, upTo: "]]>")
            } else if starts(with: "<?") {
                section(behind: 2, upTo: "?>")
            } else if starts(with: "<!") {
                let declaration = bytes[index...].prefix { $0 != UInt8(ascii: ">") }
                if declaration.contains(UInt8(ascii: "[")) { return false }
                section(behind: 2, upTo: ">")
            } else {
                tag()
            }
        }
        return true
    }

    private func starts(with text: StaticString) -> Bool {
        guard bytes.endIndex - index >= text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    /// Text up to the next tag.
    private mutating func text() {
        var end = index + 1
        while end < bytes.endIndex, !Self.beginsTag(at: end, in: bytes) { end += 1 }
        look(into: index..<end)
        index = end
    }

    /// A comment, an instruction, or text without tags.
    private mutating func section(behind count: Int, upTo end: StaticString) {
        index += count
        let start = index
        while index < bytes.endIndex, !starts(with: end) { index += 1 }
        look(into: start..<index)
        index = min(index + end.utf8CodeUnitCount, bytes.endIndex)
    }

    private mutating func look(into range: Range<Int>) {
        let text = bytes[range]
        guard let start = text.firstIndex(where: { !$0.isBlank }) else { return }
        redactor.effort.add(text.count)
        guard hidden == nil else { return edits.replace(range, with: Redaction.mark.utf8) }
        if isNaming { isNamed = isSecret(text[start...]) }
        guard let shown = redactor.nested.text(text) else {
            return edits.replace(range, with: Redaction.mark.utf8)
        }
        if !shown.elementsEqual(text) { edits.replace(range, with: shown) }
    }

    /// Whether a name is, or may be, a secret's: a reference to a character hides what it says.
    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        name.contains(UInt8(ascii: "&")) || redactor.redaction.hides(bodyField: name)
    }
}

// MARK: - Tags

extension RedactedXML {
    private mutating func tag() {
        let isEnd = bytes[index + 1] == UInt8(ascii: "/")
        index += isEnd ? 2 : 1
        let name = take { !$0.isBlank && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        _ = take(where: \.isBlank)
        let inside = index
        var attributes: [Attribute] = []
        while let attribute = attribute() { attributes.append(attribute) }
        let isMarkup =
            name.last != UInt8(ascii: ":") && attributes.allSatisfy(\.isMarkup)
            && (!isEnd || attributes.isEmpty)
        if !isMarkup, inside < index { edits.replace(inside..<index, with: Redaction.mark.utf8) }
        let isCut = index == bytes.endIndex
        let isAlone =
            bytes[..<index].last == UInt8(ascii: "/") || Self.isVoid(name) || isCut
        // Where the tag has no end, the next one may begin.
        if !isCut, bytes[index] == UInt8(ascii: ">") { index += 1 }
        isNaming = false
        guard !isEnd else { return close(name) }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        let naming = attributes.filter { PairNames.isForName($0.name) }
        let isHidden =
            isNamed || isSecret(name) || naming.contains { isSecret($0.value ?? []) }
        for attribute in attributes where isMarkup {
            let isName = isHidden && !isCut && PairNames.isForName(attribute.name)
            redact(attribute, isHidden: !isName && (isHidden || isCut))
        }
        isNamed = false
        isNaming = PairNames.isForName(local)
        guard !isAlone else { return }
        if let open = hidden {
            if open.name.elementsEqual(name) { hidden?.count += 1 }
        } else if isHidden {
            hidden = (name, 1)
        }
    }

    private mutating func close(_ name: ArraySlice<UInt8>) {
        guard let open = hidden, open.name.elementsEqual(name) else { return }
        hidden = open.count > 1 ? (open.name, open.count - 1) : nil
    }

    private mutating func redact(_ attribute: Attribute, isHidden: Bool) {
        guard let value = attribute.value, !value.isEmpty else { return }
        redactor.effort.add(value.count)
        guard !isHidden, hidden == nil, !isSecret(attribute.name),
            let shown = redactor.nested.text(value)
        else {
            return edits.replace(value.indices, with: Redaction.mark.utf8)
        }
        if !shown.elementsEqual(value) { edits.replace(value.indices, with: shown) }
    }

    /// The next attribute of a tag; nil before its end.
    private mutating func attribute() -> Attribute? {
        _ = take { $0.isBlank || $0 == UInt8(ascii: "/") }
        guard index < bytes.endIndex, !"<>".utf8.contains(bytes[index]) else { return nil }
        let start = index
        index += 1
        _ = take { !$0.isBlank && !"=<>/".utf8.contains($0) }
        let name = bytes[start..<index]
        let end = index
        _ = take(where: \.isBlank)
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "=") else {
            index = end
            return Attribute(name: name, value: nil)
        }
        index += 1
        _ = take(where: \.isBlank)
        guard index < bytes.endIndex, "\"'".utf8.contains(bytes[index]) else {
            let value = take { !$0.isBlank && $0 != UInt8(ascii: ">") }
            return Attribute(name: name, value: value)
        }
        let quote = bytes[index]
        index += 1
        let value = take { $0 != quote }
        index = min(index + 1, bytes.endIndex)
        return Attribute(name: name, value: value, isQuoted: true)
    }

    private mutating func take(where isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = bytes[index...].prefix(while: isWanted)
        index = taken.endIndex
        return taken
    }

    /// Elements of HTML that have no end.
    private static func isVoid(_ name: ArraySlice<UInt8>) -> Bool {
        voidNames.contains { $0.elementsEqual(name.lazy.map { HTTPToken.folded($0) }) }
    }

    private static let voidNames = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    ]
    .map { Array($0.utf8) }
}
