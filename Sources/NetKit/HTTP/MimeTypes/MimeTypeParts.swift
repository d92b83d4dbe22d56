/// A parser for `type/subtype; name=value; name="quoted value"` (RFC 9110, sections 5.6.6 and 8.3.1).
///
/// It reads bytes, because a combining mark after a delimiter would conceal it.
struct MimeTypeParts {
    private(set) var parameters: [String: String] = [:]
    /// The text without surrounding white space.
    let trimmedText: String

    /// Parses a text.
    ///
    /// Nil if it isn't a media type.
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
            // The first parameter of a name applies, as in the WHATWG's parser.
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }

    /// Returns the type and subtype in lowercase, without validation.
    static func essence(of text: String) -> (type: String, subtype: String) {
        let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        let type = essence.prefix { $0 != UInt8(ascii: "/") }
        let subtype = essence[type.endIndex...].dropFirst()
        return (
            Substring(trimmed(type)).lowercased(),
            Substring(trimmed(subtype)).lowercased()
        )
    }

    /// Returns a value as a token if possible, or else quoted.
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
