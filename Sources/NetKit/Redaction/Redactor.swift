/// Redacts one message: how deep it looks into text within text, and how much work it was.
///
/// A text may hold another one, as a form's value holds a URL whose query holds JSON. What lies deeper than
/// ``deepest`` levels is hidden, so that the work for each byte has a limit.
struct Redactor {
    /// The most levels of text within text that are looked into.
    static let deepest = 8

    /// How many bytes were looked at, on all levels.
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

    /// What redacts a text within this one.
    var nested: Redactor {
        var nested = self
        nested.levelsLeft -= 1
        return nested
    }

    /// Whether texts on this level are looked into; otherwise they are hidden.
    var mayLookInto: Bool { levelsLeft >= 0 }

    /// Any text: JSON, XML, a form, a URL, or lines with assignments, as it looks like.
    ///
    /// - Returns: The text, the same where nothing is hidden; nil where it cannot be read.
    func text(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        effort.add(bytes.count)
        guard Self.mayHoldSecret(bytes) else { return Array(bytes) }
        guard mayLookInto else { return nil }
        let start = bytes.firstIndex { !$0.isBlank } ?? bytes.startIndex
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let json = RedactedJSON.bytes(bytes, by: self) { return json }
        case UInt8(ascii: "<") where RedactedXML.beginsTag(at: start, in: bytes):
            return RedactedXML.bytes(bytes, by: self)
        case UInt8(ascii: "-"):
            if let boundary = RedactedParts.boundary(of: bytes[start...]) {
                return RedactedParts.bytes(bytes, boundary: boundary, by: self)
            }
        default: break
        }
        if !bytes.contains(where: \.isBlank), let word = word(bytes) { return word }
        return RedactedText.bytes(bytes, by: self)
    }

    /// A text without blanks, if it is a URL, a form, or an encoded one of these.
    private func word(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        if RedactedURL.isURL(bytes) { return RedactedURL.bytes(bytes, by: self) }
        if RedactedForm.isForm(bytes) { return RedactedForm.pairs(bytes, by: self) }
        let isEncoded = !bytes.contains { "=:>\\".utf8.contains($0) }
        guard isEncoded else { return nil }
        let plain = RedactedForm.decoded(bytes, by: self)
        guard !plain.elementsEqual(bytes) else { return nil }
        return nested.text(plain[...]) == plain ? Array(bytes) : RedactedForm.mark
    }

    /// Whether a text can name something and give it a value.
    static func mayHoldSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(where: mayAssign)
    }

    /// Whether a text without such bytes can name nothing that it gives a value.
    private static func mayAssign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ">"), UInt8(ascii: "%"),
            UInt8(ascii: "\\"):
            true
        default: false
        }
    }
}
