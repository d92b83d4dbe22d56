/// Reads `type/subtype; name=value; name="quoted value"` (RFC 9110, sections 5.6.6 and 8.3.1).
///
/// Everything is read byte by byte: a combining mark behind a delimiter must not hide it.
struct MimeTypeParts {
    private(set) var parameters: [String: String] = [:]
    /// The text without white space around it.
    let trimmedText: String

    /// Nil if the text is no media type.
    init?(_ text: String) {
        trimmedText = String(Substring(Self.trimmed(text.utf8[...])))
        var reader = FieldReader(trimmedText)
        guard reader.token() != nil, reader.take("/"), reader.token() != nil else { return nil }
        while true {
            reader.skipBlanks()
            guard !reader.isAtEnd else { return }
            guard reader.take(";") else { return nil }
            reader.skipBlanks()
            if reader.isAtEnd || reader.next == UInt8(ascii: ";") { continue }
            guard let name = reader.token(), reader.take("="),
                let value = reader.token() ?? reader.quotedString()
            else { return nil }
            // Of two with one name the first counts, as in the WHATWG's parser.
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }

    /// What stands before the parameters, in lower case and without a check.
    static func essence(of text: String) -> (type: String, subtype: String) {
        let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        let type = essence.prefix { $0 != UInt8(ascii: "/") }
        let subtype = essence[type.endIndex...].dropFirst()
        return (
            Substring(trimmed(type)).lowercased(),
            Substring(trimmed(subtype)).lowercased()
        )
    }

    /// A value as a token, or else between quotes.
    static func quotedIfNeeded(_ value: String) -> String {
        value.isHTTPToken ? value : QuotedString.quoting(value)
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var trimmed = bytes.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }
}
