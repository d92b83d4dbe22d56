/// A redactor for XML and HTML, by the names of elements and attributes.
///
/// It parses tags, not documents, so that it can handle malformed input. A secret element is redacted up to its end
/// tag, or to the end of the text if that is missing. If a tag contains text that isn't an attribute, the tag's content
/// is redacted.
struct RedactedXML {
    private struct Attribute {
        let name: ArraySlice<UInt8>
        /// The value, or nil for a name without one.
        let value: ArraySlice<UInt8>?
        var isQuoted = false

        /// Whether this looks like an attribute.
        ///
        /// Other text in a tag could contain a secret.
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
    /// The name of the redacted element, and the nesting depth of elements with that name.
    private var hidden: (name: ArraySlice<UInt8>, count: Int)?
    /// Whether this text labels the next element, as in `<key>password</key>`.
    private var isNaming = false
    /// Whether the next element is the value of a secret label.
    private var isNamed = false

    /// Redacts an XML text.
    ///
    /// - Parameters:
    ///   - bytes: The text, or its beginning.
    ///   - redactor: The redactor.
    ///   - isDocument: Whether a text that doesn't begin with a tag is invalid. Defaults to true.
    /// - Returns: The redacted text, or nil if it isn't XML.
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

    /// Whether a tag, a comment or a similar construct begins at a position.
    static func beginsTag(at index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        guard index + 1 < bytes.endIndex, bytes[index] == UInt8(ascii: "<") else { return false }
        let next = bytes[index + 1]
        return WordTable.letter(next) != nil || next >= 0x80 || "!?/_".utf8.contains(next)
    }

    /// Returns false if there are entity declarations, which can define any text.
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

    /// Redacts text up to the next tag.
    private mutating func text() {
        var end = index + 1
        while end < bytes.endIndex, !Self.beginsTag(at: end, in: bytes) { end += 1 }
        look(into: index..<end)
        index = end
    }

    /// Redacts a comment, a processing instruction, or a CDATA section.
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

    /// Whether a name is, or could be, a secret's.
    ///
    /// A character reference conceals the name.
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
        // The next tag can begin in an unterminated one.
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

    /// Returns the next attribute of a tag, or nil at its end.
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

    /// Whether an HTML element has no end tag.
    private static func isVoid(_ name: ArraySlice<UInt8>) -> Bool {
        voidNames.contains { $0.elementsEqual(name.lazy.map { HTTPToken.folded($0) }) }
    }

    private static let voidNames = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    ]
    .map { Array($0.utf8) }
}
