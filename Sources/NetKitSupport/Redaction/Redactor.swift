/// A redactor for one message, which limits nesting and counts its work.
///
/// Texts can be nested: a form value can contain a URL whose query contains JSON. Text nested more than ``deepest``
/// levels is redacted as a whole, which bounds the work per byte.
package struct Redactor {
    /// The maximum depth of nested text.
    static let deepest = 8

    /// The number of bytes examined, at all levels.
    final class Effort {
        private(set) var steps = 0

        func add(_ count: Int) {
            steps &+= count
        }
    }

    let rules: RedactionRules
    let effort: Effort
    private var levelsLeft = Self.deepest

    package init(_ rules: RedactionRules) {
        self.init(rules, effort: Effort())
    }

    init(_ rules: RedactionRules, effort: Effort) {
        self.rules = rules
        self.effort = effort
    }

    /// The redactor for text nested in this one.
    var nested: Redactor {
        var nested = self
        nested.levelsLeft -= 1
        return nested
    }

    /// Whether text at this level is examined rather than redacted as a whole.
    var mayLookInto: Bool { levelsLeft >= 0 }

    /// Redacts the text of a value: JSON, a form, a URL, or any other text.
    ///
    /// - Returns: The redacted text, unchanged if it contains no secrets. Nil for other text that can contain one.
    func text(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        effort.add(bytes.count)
        guard Self.mayHoldSecret(bytes) else { return Array(bytes) }
        guard mayLookInto else { return nil }
        let start = bytes.firstIndex { !$0.isJSONWhiteSpace } ?? bytes.startIndex
        if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "["),
            let json = RedactedJSON.bytes(bytes, by: self)
        {
            return json
        }
        if !bytes.contains(where: \.isJSONWhiteSpace), let word = word(bytes) { return word }
        return isSuspicious(bytes) ? nil : Array(bytes)
    }

    /// Redacts a URL, a form or a percent-encoded text; nil for other text.
    private func word(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        if RedactedURL.isURL(bytes) { return RedactedURL.bytes(bytes, by: self) }
        if RedactedForm.isForm(bytes) { return RedactedForm.pairs(bytes, by: self) }
        let isEncoded = !bytes.contains { "=:>\\".utf8.contains($0) }
        guard isEncoded else { return nil }
        let plain = RedactedForm.decoded(bytes, by: self)
        guard !plain.elementsEqual(bytes) else { return nil }
        return nested.text(plain[...]) == plain ? Array(bytes) : RedactedForm.mark
    }

    /// Whether a text has the name of a secret, a password before a host, or a query with a secret.
    private func isSuspicious(_ bytes: ArraySlice<UInt8>) -> Bool {
        effort.add(bytes.count * 2)
        if rules.finds(nameIn: bytes) { return true }
        return bytes.split { $0.isJSONWhiteSpace || "\"'<>`(),".utf8.contains($0) }
            .contains { word in
                if let at = word.lastIndex(of: UInt8(ascii: "@")),
                    word[..<at].contains(UInt8(ascii: ":"))
                {
                    return true
                }
                guard let mark = word.firstIndex(where: { "?#&".utf8.contains($0) }) else {
                    return false
                }
                let query = word[(mark + 1)...]
                return !RedactedForm.pairs(query, by: nested).elementsEqual(query)
            }
    }

    /// Whether a text can contain an assignment.
    static func mayHoldSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(where: mayAssign)
    }

    /// Whether a byte occurs in assignments, or between lines.
    ///
    /// Text without such bytes contains none.
    private static func mayAssign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ">"), UInt8(ascii: "%"),
            UInt8(ascii: "\\"), 0x0A, 0x0D:
            true
        default: false
        }
    }
}

extension Redactor {
    /// Redacts the value of a header field.
    ///
    /// The caller handles fields marked sensitive.
    package func header(_ value: String, of name: FoldedName) -> String {
        guard rules.shows(name) else { return RedactionRules.mark }
        let bytes = Array(value.utf8)
        let shown: [UInt8]? =
            switch name {
            case "Location", "Content-Location", "Referer": url(bytes[...])
            case "Link": links(bytes)
            case "Content-Type", "Content-Disposition": parameters(bytes)
            default: RedactedURL.isURL(bytes[...]) ? url(bytes[...]) : text(bytes[...])
            }
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? RedactionRules.mark
    }

    private func url(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        RedactedURL.bytes(bytes, by: self, keepingFragment: false)
    }

    /// Redacts links, whose URLs are in angle brackets (RFC 8288).
    ///
    /// Nil if there is a secret outside the URLs.
    private func links(_ bytes: [UInt8]) -> [UInt8]? {
        var edits = Edits(bytes[...])
        var others: [UInt8] = []
        var start = bytes.startIndex
        while let opening = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
            others += bytes[start..<opening] + [UInt8(ascii: " ")]
            let end = bytes[opening...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            let url = bytes[(opening + 1)..<end]
            let shown = self.url(url)
            if !shown.elementsEqual(url) { edits.replace(url.indices, with: shown) }
            start = min(end + 1, bytes.endIndex)
        }
        others += bytes[start...]
        return text(others[...]) == others ? edits.edited : nil
    }

    /// Returns a value whose parameters contain no secret, or nil.
    ///
    /// A parameter can have a secret's name as its value: `form-data; name="password"`.
    private func parameters(_ bytes: [UInt8]) -> [UInt8]? {
        let isPlain = PartHead.parameters(of: bytes[...])
            .allSatisfy { parameter in
                let sign = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.startIndex
                let name = parameter[..<sign].filter { !$0.isJSONWhiteSpace }
                let value = PartHead.unquoted(parameter[sign...].dropFirst(name.isEmpty ? 0 : 1))
                return !rules.hides(queryName: name[...]) && text(value[...]) == value
            }
        return isPlain ? bytes : nil
    }
}

/// Replacements in a sequence of bytes, applied from front to back.
struct Edits {
    private let bytes: ArraySlice<UInt8>
    private var result: [UInt8] = []
    /// The end of the range already copied to the result.
    private var copied: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        copied = bytes.startIndex
    }

    /// Replaces a range of bytes.
    ///
    /// Earlier replacements are kept.
    mutating func replace(_ range: Range<Int>, with other: some Collection<UInt8>) {
        guard range.upperBound > copied || range.lowerBound >= copied else { return }
        result += bytes[copied..<max(range.lowerBound, copied)]
        result += other
        copied = range.upperBound
    }

    /// The bytes with all replacements.
    var edited: [UInt8] { result + bytes[copied...] }
}
