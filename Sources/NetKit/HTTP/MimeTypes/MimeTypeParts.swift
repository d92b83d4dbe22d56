/// Reads `type/subtype; name=value; name="quoted value"` (RFC 9110, sections 5.6.6 and 8.3.1).
struct MimeTypeParts {
    private(set) var parameters: [String: String] = [:]
    /// The text without white space around it.
    let trimmedText: String

    /// Nil if the text is no media type.
    init?(_ text: String) {
        var rest = Substring(text).trimmingBlanks()
        trimmedText = String(rest)
        let type = rest.token()
        guard !type.isEmpty, rest.take("/") else { return nil }
        guard !rest.token().isEmpty else { return nil }
        while !rest.isEmpty {
            rest = rest.trimmingBlanks()
            guard rest.take(";") else { return nil }
            rest = rest.trimmingBlanks()
            if rest.isEmpty || rest.first == ";" { continue }
            let name = rest.token()
            guard !name.isEmpty, rest.take("="), let value = Self.value(&rest) else { return nil }
            // Of two with one name the first counts, as in the WHATWG's parser.
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
            rest = rest.trimmingBlanks()
        }
    }

    /// What stands before the parameters, in lower case and without a check.
    static func essence(of text: String) -> (type: String, subtype: String) {
        let essence = text.prefix { $0 != ";" }
        let parts = essence.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let type = parts.first?.trimmingBlanks().lowercased() ?? ""
        return (type, parts.count > 1 ? parts[1].trimmingBlanks().lowercased() : "")
    }

    /// A value as a token, or else between quotes.
    static func quotedIfNeeded(_ value: String) -> String {
        guard !value.isHTTPToken else { return value }
        var quoted = "\""
        for character in value.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    private static func value(_ rest: inout Substring) -> String? {
        guard rest.take("\"") else {
            let token = rest.token()
            return token.isEmpty ? nil : String(token)
        }
        var value = String.UnicodeScalarView()
        var scalars = rest.unicodeScalars
        while let next = scalars.popFirst() {
            switch next {
            case "\"":
                rest = Substring(scalars)
                return String(value)
            case "\\":
                guard let escaped = scalars.popFirst() else { return nil }
                value.append(escaped)
            case "\u{0}"..."\u{8}", "\u{A}"..."\u{1F}", "\u{7F}":
                return nil
            default:
                value.append(next)
            }
        }
        return nil
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
        var scalars = unicodeScalars.drop(while: isBlank)
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        return Substring(scalars)
    }

    /// Takes the token at the front, which may be empty.
    fileprivate mutating func token() -> Substring {
        let token = prefix { $0.utf8.count == 1 && $0.utf8.allSatisfy { HTTPToken.allows($0) } }
        self = self[token.endIndex...]
        return token
    }

    fileprivate mutating func take(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }
}
