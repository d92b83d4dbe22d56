/// A redactor for the values of a query or a form.
///
/// It redacts a value because of its name, or because it contains a secret. It reads bytes, because in a `String` a
/// sign with a combining mark is a different character.
enum RedactedForm {
    /// The placeholder for a value, which needs no encoding.
    static let mark = Array("redacted".utf8)

    /// Redacts a body with the media type of forms.
    ///
    /// - Returns: The form, or nil if the body isn't one.
    static func body(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8]? {
        // curl and other clients label any body as a form.
        switch bytes.first(where: { !$0.isBlank }) {
        case UInt8(ascii: "{"): return RedactedJSON.bytes(bytes, by: redactor)
        case UInt8(ascii: "["):
            if let json = RedactedJSON.bytes(bytes, by: redactor) { return json }
        default: break
        }
        let isForm = bytes.allSatisfy { $0 > 0x20 && !"<>\"\\".utf8.contains($0) }
        return isForm ? pairs(bytes, hidingFlags: true, by: redactor) : nil
    }

    /// Redacts the pairs of a query or a form.
    ///
    /// - Parameters:
    ///   - bytes: The pairs.
    ///   - hidesFlags: Whether to redact a value without a name. Defaults to false.
    ///   - redactor: The redactor, which also examines values with nested text.
    /// - Returns: The redacted pairs.
    static func pairs(
        _ bytes: ArraySlice<UInt8>,
        hidingFlags hidesFlags: Bool = false,
        by redactor: Redactor
    ) -> [UInt8] {
        redactor.effort.add(bytes.count)
        var edits = Edits(bytes)
        var start = bytes.startIndex
        while start <= bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            redact(bytes[start..<end], hidingFlags: hidesFlags, &edits, by: redactor)
            start = end + 1
        }
        return edits.edited
    }

    private static func redact(
        _ pair: ArraySlice<UInt8>,
        hidingFlags hidesFlags: Bool,
        _ edits: inout Edits,
        by redactor: Redactor
    ) {
        let sign = pair.firstIndex(of: UInt8(ascii: "="))
        let value = sign.map { pair[($0 + 1)...] } ?? pair
        guard !value.isEmpty, !value.elementsEqual(Redaction.mark.utf8) else { return }
        if !(sign.map { hides(name: pair[..<$0], by: redactor) } ?? hidesFlags) {
            let plain = decoded(value, by: redactor)
            guard redactor.nested.text(plain[...]) != plain else { return }
        }
        edits.replace(value.indices, with: mark)
    }

    /// Whether a name is secret, however often it is percent-encoded.
    static func hides(name: ArraySlice<UInt8>, by redactor: Redactor) -> Bool {
        var name = Array(name)
        for _ in 0..<4 {
            let plain = decoded(name[...], by: redactor)
            guard plain != name else { return redactor.redaction.hides(queryName: name) }
            name = plain
        }
        return true
    }

    /// Percent-decodes a name or a value.
    static func decoded(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8] {
        redactor.effort.add(bytes.count)
        return FormFields.decoded(bytes, plusIsSpace: true)
    }

    /// Whether a text without blanks begins like a form.
    static func isForm(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.prefix { byte in
            WordTable.letter(byte) != nil || (0x30...0x39).contains(byte)
                || "_-.~%+*[]$".utf8.contains(byte)
        }
        return !name.isEmpty && name.endIndex < bytes.endIndex
            && bytes[name.endIndex] == UInt8(ascii: "=")
    }
}
