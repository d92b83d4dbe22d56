/// A redactor for assignments of secrets in free text: `password: x`, `token=x`, `"secret" => "x"`.
///
/// Each byte is examined only a few times. The search for a name stops at the previous sign, and redacted text isn't
/// searched again.
struct RedactedText {
    private let bytes: ArraySlice<UInt8>
    private let redactor: Redactor
    private var edits: Edits
    private var index: Int
    /// The earliest start of a name.
    private var floor: Int
    /// The start of the current word.
    private var wordStart: Int
    /// Whether the current word contains a colon.
    private var hasColon = false
    /// Whether this line was already searched for JSON.
    private var hasTriedJSON = false

    /// Redacts a text.
    ///
    /// Returns it unchanged if it contains no secrets.
    static func bytes(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8] {
        redactor.effort.add(bytes.count)
        var text = RedactedText(bytes, by: redactor)
        text.redact()
        return text.edits.edited
    }

    private init(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) {
        self.bytes = bytes
        self.redactor = redactor
        edits = Edits(bytes)
        index = bytes.startIndex
        floor = index
        wordStart = index
    }

    private mutating func redact() {
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x0A, 0x0D:
                hasTriedJSON = false
                endWord()
                floor = index
            case 0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
                UInt8(ascii: "("), UInt8(ascii: ","):
                endWord()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if hasTriedJSON || !redactJSON() { endWord() }
            case UInt8(ascii: ":"):
                if !redactURL(), !redactAssignment() { passSign() }
            case UInt8(ascii: "="):
                if !redactAssignment() { passSign() }
            case UInt8(ascii: "@"):
                if hasColon { edits.replace(wordStart..<index, with: RedactedForm.mark) }
                index += 1
            case UInt8(ascii: ">"):
                if !redactElement() { endWord() }
            default: index += 1
            }
        }
    }

    private mutating func endWord() {
        index += 1
        wordStart = index
        hasColon = false
    }

    private mutating func passSign() {
        if bytes[index] == UInt8(ascii: ":") { hasColon = true }
        index += 1
        floor = index
    }

    /// Continues after the redacted text.
    private mutating func goOn(at end: Int) {
        redactor.effort.add(end - index)
        index = end
        floor = end
        wordStart = end
        hasColon = false
    }

    private mutating func hide(_ range: Range<Int>, _ mark: some Collection<UInt8>) {
        if !range.isEmpty { edits.replace(range, with: mark) }
        goOn(at: range.upperBound)
    }
}

// MARK: - Embedded JSON and URLs

extension RedactedText {
    /// Redacts the rest of the line if it is JSON, as in a log.
    private mutating func redactJSON() -> Bool {
        hasTriedJSON = true
        let end = lineEnd(from: index)
        let isLast = end == bytes.endIndex
        guard let json = RedactedJSON.bytes(bytes[index..<end], by: redactor, isWhole: !isLast)
        else { return false }
        if !json.elementsEqual(bytes[index..<end]) { edits.replace(index..<end, with: json) }
        goOn(at: end)
        return true
    }

    /// Redacts the URL whose scheme ends here.
    private mutating func redactURL() -> Bool {
        guard bytes[index...].dropFirst().starts(with: "//".utf8) else { return false }
        var start = index
        while start > max(floor, wordStart), WordTable.letter(bytes[start - 1]) != nil {
            start -= 1
        }
        guard start < index else { return false }
        let url = bytes[start...]
            .prefix { !$0.isBlank && $0 >= 0x20 && !"\"'<>`".utf8.contains($0) }
        redactor.effort.add(index - start)
        let shown = RedactedURL.bytes(url, by: redactor)
        if !shown.elementsEqual(url) { edits.replace(url.indices, with: shown) }
        goOn(at: url.endIndex)
        return true
    }

    private func lineEnd(from start: Int) -> Int {
        bytes[start...].firstIndex(where: \.isLineEnd) ?? bytes.endIndex
    }
}

// MARK: - Assignments

extension RedactedText {
    /// Redacts the value assigned to the name before this sign.
    private mutating func redactAssignment() -> Bool {
        let name = self.name(before: index)
        redactor.effort.add(index - floor)
        guard !name.isEmpty else { return false }
        let isQuery =
            name.startIndex > bytes.startIndex && bytes[index] == UInt8(ascii: "=")
            && "?&#".utf8.contains(bytes[name.startIndex - 1])
        let plain = RedactedForm.decoded(name, by: redactor)
        let redaction = redactor.redaction
        guard redaction.hides(bodyField: plain) || isQuery && redaction.hides(queryName: plain)
        else { return false }
        let start = valueStart(behind: index)
        guard start < bytes.endIndex else { return false }
        if isQuery {
            let value = bytes[start...].prefix { !$0.isBlank && !"&\"'<>)`".utf8.contains($0) }
            hide(value.indices, RedactedForm.mark)
            return true
        }
        let range = value(from: start)
        let isCount = bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        if isCount, SecretNames.suggestsAmount(plain) { return false }
        hide(range, Redaction.mark.utf8)
        return true
    }

    /// Redacts the content of an element whose tag, without attributes, ends here.
    private mutating func redactElement() -> Bool {
        let name = word(before: index)
        guard !name.isEmpty, name.startIndex > floor,
            bytes[name.startIndex - 1] == UInt8(ascii: "<"),
            redactor.redaction.hides(bodyField: Array(name))
        else { return false }
        let content = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "<") }
        hide(content.indices, Redaction.mark.utf8)
        return true
    }

    /// Returns the one or two words before a sign, quoted or not.
    private func name(before sign: Int) -> ArraySlice<UInt8> {
        var end = sign
        while end > floor, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        while end > floor, Self.isQuote(bytes[end - 1]) || bytes[end - 1] == UInt8(ascii: "\\") {
            end -= 1
        }
        let last = word(before: end)
        var gap = last.startIndex
        while gap > floor, bytes[gap - 1] == 0x20 { gap -= 1 }
        guard gap < last.startIndex else { return last }
        return word(before: gap).isEmpty ? last : bytes[word(before: gap).startIndex..<end]
    }

    private func word(before end: Int) -> ArraySlice<UInt8> {
        var start = end
        while start > floor, Self.isPartOfName(bytes[start - 1]) { start -= 1 }
        return bytes[start..<end]
    }

    /// Skips `:=`, `=>`, blanks and, after a colon, line ends.
    private func valueStart(behind sign: Int) -> Int {
        var start = sign + 1
        while start < bytes.endIndex, "=:> \t".utf8.contains(bytes[start]) { start += 1 }
        if bytes[sign] == UInt8(ascii: ":") {
            while start < bytes.endIndex, bytes[start].isBlank { start += 1 }
        }
        return start
    }

    /// Returns the range of the value that begins here.
    ///
    /// A quoted value ends with its quote. Any other value ends with the line, or with the pair of a form. A container,
    /// a list or a block of lines extends to the end of the text, because its end is unknown.
    private func value(from start: Int) -> Range<Int> {
        let first = bytes[start]
        let isEscaped = first == UInt8(ascii: "\\") && start + 1 < bytes.endIndex
        let opening = isEscaped ? start + 1 : start
        if Self.isQuote(bytes[opening]) {
            let quote = bytes[opening]
            var end = opening + 1
            while end < bytes.endIndex, bytes[end] != quote {
                if isEscaped, bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.endIndex,
                    bytes[end + 1] == quote
                {
                    break
                }
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            return opening + 1..<min(end, bytes.endIndex)
        }
        let isList = bytes[start...].starts(with: "- ".utf8)
        if isList || "{[(|>".utf8.contains(first) { return start..<bytes.endIndex }
        let isPair = bytes[start - 1] == UInt8(ascii: "=")
        let value = bytes[start...]
            .prefix { !$0.isLineEnd && !(isPair && $0 == UInt8(ascii: "&")) }
        return value.indices
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x80...0xFF, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"), UInt8(ascii: "$"):
            true
        default: WordTable.letter(byte) != nil
        }
    }
}
