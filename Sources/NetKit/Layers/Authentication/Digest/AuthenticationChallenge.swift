/// One way in which a server asks for a credential (RFC 9110, section 11.3).
struct AuthenticationChallenge: Equatable, Sendable {
    /// The scheme as it was written; see ``isScheme(_:)``.
    let scheme: String
    /// What stands behind the scheme where that is no list of parameters.
    var token68: String?
    /// The parameters, without quotes and escapes, by their names in lower case.
    var parameters: [String: String] = [:]

    /// Reads a field's value, or those of several fields of one name, joined by commas.
    ///
    /// - Parameter fieldValue: The value of `WWW-Authenticate`.
    /// - Returns: The challenges that can be made out, in order. One that is malformed is left out; those
    ///   around it stay.
    static func challenges(in fieldValue: String) -> [AuthenticationChallenge] {
        var parser = AuthenticationChallengeParser(fieldValue)
        return parser.challenges()
    }

    /// Whether this is a challenge of a scheme, given in lower case; the case of its own means nothing.
    func isScheme(_ name: String) -> Bool {
        scheme.lowercased() == name
    }
}

/// Reads `WWW-Authenticate` (RFC 9110, section 11.6.1), byte by byte and once from left to right.
///
/// A comma may stand before the next parameter of a challenge and before the next challenge; what follows it
/// decides. Credentials have the same form, so that it reads `Authorization` as well.
struct AuthenticationChallengeParser {
    private let bytes: [UInt8]
    private var position = 0
    private var found: [AuthenticationChallenge] = []
    /// The challenge that is being read; nil before the first, and where it turned out malformed.
    private var current: AuthenticationChallenge?

    /// Makes a parser of a field's value.
    init(_ fieldValue: String) {
        bytes = Array(fieldValue.utf8)
    }

    /// Reads everything.
    ///
    /// - Returns: The challenges that are well-formed, in order.
    mutating func challenges() -> [AuthenticationChallenge] {
        while true {
            skipBlanks()
            guard let byte = next else { break }
            if byte == UInt8(ascii: ",") {
                position += 1
            } else if !readElement() || !isAtEndOfElement() {
                current = nil
                skipElement()
            }
        }
        endChallenge()
        return found
    }

    /// Reads what stands between two commas, or the part of it up to the first parameter's end.
    ///
    /// - Returns: Whether it is well-formed.
    private mutating func readElement() -> Bool {
        let name = take(while: HTTPToken.allows)
        guard !name.isEmpty else { return false }
        let end = position
        skipBlanks()
        if next == UInt8(ascii: "=") {
            position += 1
            return readValue(of: name)
        }
        endChallenge()
        current = AuthenticationChallenge(scheme: name)
        guard position > end, let byte = next, byte != UInt8(ascii: ",") else { return true }
        if let token = takeToken68() {
            current?.token68 = token
            return true
        }
        let parameter = take(while: HTTPToken.allows)
        skipBlanks()
        guard !parameter.isEmpty, next == UInt8(ascii: "=") else { return false }
        position += 1
        return readValue(of: parameter)
    }

    /// Reads a parameter's value, for the current challenge.
    ///
    /// - Returns: Whether it is well-formed, belongs to a challenge, and is the first of its name.
    private mutating func readValue(of name: String) -> Bool {
        skipBlanks()
        let value: String?
        if next == UInt8(ascii: "\"") {
            value = takeQuotedString()
        } else {
            // More than a token may have: base64 without quotes is seen in the wild.
            let text = take { $0 > 0x20 && $0 != 0x7F && !"\",".utf8.contains($0) }
            value = text.isEmpty ? nil : text
        }
        guard let value, let current, current.token68 == nil else { return false }
        let key = name.lowercased()
        guard current.parameters[key] == nil else { return false }
        self.current?.parameters[key] = value
        return true
    }

    private mutating func endChallenge() {
        if let current { found.append(current) }
        current = nil
    }
}

// MARK: - Pieces

extension AuthenticationChallengeParser {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while next == 0x20 || next == 0x09 { position += 1 }
    }

    private mutating func isAtEndOfElement() -> Bool {
        skipBlanks()
        return next == nil || next == UInt8(ascii: ",")
    }

    /// Goes on to the next comma that is not between quotes.
    private mutating func skipElement() {
        while let byte = next, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") {
                _ = takeQuotedString()
            } else {
                position += 1
            }
        }
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, isTaken(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A whole element of `token68` (RFC 9110, section 11.2); without one it stays where it is.
    private mutating func takeToken68() -> String? {
        let start = position
        var token = take {
            (HTTPToken.allows($0) && !"!#$%&'*^`|".utf8.contains($0)) || $0 == UInt8(ascii: "/")
        }
        guard !token.isEmpty else { return nil }
        token += take { $0 == UInt8(ascii: "=") }
        guard isAtEndOfElement() else {
            position = start
            return nil
        }
        return token
    }

    /// A string in quotes (RFC 9110, section 5.6.4), unescaped; it ends behind the closing quote.
    ///
    /// - Returns: Nil without a closing quote, or with a control character, which must never get into a field
    ///   of ours.
    private mutating func takeQuotedString() -> String? {
        position += 1
        var text: [UInt8] = []
        var isClean = true
        while var byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") {
                return isClean ? String(decoding: text, as: UTF8.self) : nil
            }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { break }
                position += 1
                byte = escaped
            }
            if (byte < 0x20 && byte != 0x09) || byte == 0x7F { isClean = false }
            text.append(byte)
        }
        return nil
    }
}
