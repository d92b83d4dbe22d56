/// A redactor for one message, which limits nesting and counts its work.
///
/// Texts can be nested: a form value can contain a URL whose query contains JSON. Text nested more than ``deepest``
/// levels is redacted as a whole, which bounds the work per byte.
struct Redactor {
    /// The maximum depth of nested text.
    static let deepest = 8

    /// The number of bytes examined, at all levels.
    final class Effort {
        private(set) var steps = 0

        func add(_ count: Int) {
            steps &+= count
        }
    }

    let redaction: Redaction
    let effort: Effort
    private var levelsLeft = Self.deepest

    init(_ redaction: Redaction, effort: Effort = Effort()) {
        self.redaction = redaction
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
        let start = bytes.firstIndex { !$0.isBlank } ?? bytes.startIndex
        if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "["),
            let json = RedactedJSON.bytes(bytes, by: self)
        {
            return json
        }
        if !bytes.contains(where: \.isBlank), let word = word(bytes) { return word }
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
        if redaction.finds(nameIn: bytes) { return true }
        return bytes.split { $0.isBlank || "\"'<>`(),".utf8.contains($0) }
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
