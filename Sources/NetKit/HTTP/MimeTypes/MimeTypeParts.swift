/// Reads `type/subtype; name=value; name="quoted value"` (RFC 9110, sections 5.6.6 and 8.3.1).
///
/// Everything is read byte by byte: a combining mark behind a delimiter must not hide it.
struct MimeTypeParts {
    private(set) var parameters: [String: String] = [:]
    /// The text without white space around it.
    let trimmedText: String

    /// Nil if the text is no media type.
    init?(_ text: String) {
        var rest = Self.trimmed(text.utf8[...])
        trimmedText = String(Substring(rest))
        guard Self.token(&rest) != nil, Self.take("/", from: &rest), Self.token(&rest) != nil
        else { return nil }
        while !rest.isEmpty {
            rest = Self.trimmed(rest)
            guard Self.take(";", from: &rest) else { return nil }
            rest = Self.trimmed(rest)
            if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }
            guard let name = Self.token(&rest), Self.take("=", from: &rest),
                let value = Self.token(&rest) ?? Self.quotedString(&rest)
            else { return nil }
            // Of two with one name the first counts, as in the WHATWG's parser.
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
            rest = Self.trimmed(rest)
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
}

// MARK: - Reading from the front

extension MimeTypeParts {
    private typealias Bytes = Substring.UTF8View

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var trimmed = bytes.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }

    private static func take(_ delimiter: Unicode.Scalar, from rest: inout Bytes) -> Bool {
        guard rest.first == UInt8(ascii: delimiter) else { return false }
        rest.removeFirst()
        return true
    }

    /// The token at the front, nil if there is none.
    private static func token(_ rest: inout Bytes) -> String? {
        let token = rest.prefix { HTTPToken.allows($0) }
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// The quoted string at the front without its quotes, nil if there is none that ends.
    private static func quotedString(_ rest: inout Bytes) -> String? {
        guard take("\"", from: &rest) else { return nil }
        var value: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            guard byte == 0x09 || byte >= 0x20 && byte != 0x7F else { return nil }
            value.append(byte)
        }
        return nil
    }
}
