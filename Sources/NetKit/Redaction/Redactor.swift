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

    /// Redacts text in any format: JSON, XML, multipart, a form, a URL, or lines with assignments.
    ///
    /// - Returns: The redacted text, unchanged if it contains no secrets, or nil if it can't be parsed.
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

    /// Whether a text can contain an assignment.
    static func mayHoldSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(where: mayAssign)
    }

    /// Whether a byte occurs in assignments.
    ///
    /// Text without such bytes contains none.
    private static func mayAssign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ">"), UInt8(ascii: "%"),
            UInt8(ascii: "\\"):
            true
        default: false
        }
    }
}
