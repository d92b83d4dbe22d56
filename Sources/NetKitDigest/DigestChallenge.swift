import NetKit
import NetKitSupport

/// A challenge in which a server asks for a credential (RFC 9110, section 11.3).
struct AuthenticationChallenge: Equatable, Sendable {
    /// The scheme as written.
    ///
    /// To compare it, use ``isScheme(_:)``.
    let scheme: String
    /// The text after the scheme, if it isn't a list of parameters.
    var token68: String?
    /// The parameters without quotes and escapes, by their lowercase names.
    var parameters: [String: String] = [:]

    /// Parses a field value.
    ///
    /// Several fields of one name are joined by commas first.
    ///
    /// - Parameter fieldValue: The value of `WWW-Authenticate`.
    /// - Returns: The valid challenges in order. Malformed ones are skipped.
    static func challenges(in fieldValue: String) -> [AuthenticationChallenge] {
        var parser = AuthenticationChallengeParser(fieldValue)
        return parser.challenges()
    }

    /// Returns whether the challenge has a scheme, ignoring case.
    ///
    /// `name` must be lowercase.
    func isScheme(_ name: String) -> Bool {
        scheme.lowercased() == name
    }
}

/// A single-pass parser of `WWW-Authenticate` (RFC 9110, section 11.6.1).
///
/// A comma may precede a parameter or a new challenge, and the text after it decides which. Credentials have the same
/// syntax, so the parser also reads `Authorization`.
struct AuthenticationChallengeParser {
    private let bytes: [UInt8]
    private var position = 0
    private var found: [AuthenticationChallenge] = []
    /// The challenge being parsed, or nil before the first and after a malformed one.
    private var current: AuthenticationChallenge?

    /// Creates a parser for a field value.
    init(_ fieldValue: String) {
        bytes = Array(fieldValue.utf8)
    }

    /// Parses the field.
    ///
    /// - Returns: The valid challenges in order.
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

    /// Parses the text between two commas, or up to the first parameter's end.
    ///
    /// - Returns: Whether the text is valid.
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
        guard next == UInt8(ascii: "=") else { return false }
        position += 1
        return readValue(of: parameter)
    }

    /// Parses the value of a parameter of the current challenge.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: Whether the value is valid, belongs to a challenge, and is the first of its name.
    private mutating func readValue(of name: String) -> Bool {
        skipBlanks()
        let value: String?
        if next == UInt8(ascii: "\"") {
            value = takeQuotedString()
        } else {
            // Accepts more than a token allows, because some servers send unquoted base64.
            let text = take { $0 > 0x20 && $0 != 0x7F && !"\",".utf8.contains($0) }
            value = text.isEmpty ? nil : text
        }
        let key = name.lowercased()
        // Without a copy of the challenge, which would make each new parameter copy all earlier ones.
        guard let value, current != nil, current?.token68 == nil, current?.parameters[key] == nil
        else { return false }
        current?.parameters[key] = value
        return true
    }

    private mutating func endChallenge() {
        if let current { found.append(current) }
        current = nil
    }
}

// MARK: - Scanning

extension AuthenticationChallengeParser {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while next == 0x20 || next == 0x09 { position += 1 }
    }

    private mutating func isAtEndOfElement() -> Bool {
        skipBlanks()
        return next == nil || next == UInt8(ascii: ",")
    }

    /// Skips to the next comma outside of quotes.
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

    /// Parses an element that is a `token68` (RFC 9110, section 11.2), or doesn't move.
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

    /// Parses a quoted string (RFC 9110, section 5.6.4), and stops after the closing quote.
    ///
    /// - Returns: The unescaped text. Nil without a closing quote, or with a control character, which must never appear
    ///   in a request's field.
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

/// A supported challenge of Digest authentication (RFC 7616, section 3.3).
struct DigestChallenge: Equatable, Sendable {
    /// The quality of protection: what an answer covers besides the password (section 3.3).
    enum Quality: String, Sendable {
        /// The method and the target.
        case authentication = "auth"
        /// The method, the target, and the body.
        case integrity = "auth-int"
    }

    /// The realm that the user and the password belong to.
    let realm: String
    /// The server's nonce.
    private(set) var nonce: String
    /// The nonce of the session's secret, which is that of the challenge itself (section 3.4.2).
    let sessionNonce: String
    /// The opaque value to return unchanged, or nil if there is none.
    let opaque: String?
    /// The algorithm of the answer.
    let algorithm: DigestAlgorithm
    /// The algorithm as the server spells it, or nil if it names none.
    let algorithmName: String?
    /// The answer's `qop`, preferably `auth`, or nil for the RFC 2069 form without a count.
    let quality: Quality?
    /// Whether to hash the user name (section 3.4.4).
    let hashesUserName: Bool
    /// Whether to normalize the user name and password to form C (section 4).
    let isNormalized: Bool
    /// Whether only the previous request's nonce was wrong.
    let isStale: Bool

    /// Creates a supported challenge.
    ///
    /// Returns nil for another scheme, without a realm or a nonce, and for an unsupported algorithm or quality of
    /// protection.
    ///
    /// - Parameter challenge: The parsed challenge.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.isScheme("digest"),
            let realm = parameters["realm"], let nonce = parameters["nonce"],
            let algorithm = DigestAlgorithm(parameters["algorithm"])
        else { return nil }
        let qualities = (parameters["qop"] ?? "").lowercased()
            .split { $0 == "," || $0 == " " || $0 == "\t" }
        quality = [.authentication, .integrity]
            .first { qualities.contains(Substring($0.rawValue)) }
        guard qualities.isEmpty || quality != nil else { return nil }
        self.realm = realm
        self.nonce = nonce
        sessionNonce = nonce
        self.algorithm = algorithm
        opaque = parameters["opaque"]
        algorithmName = parameters["algorithm"]
        hashesUserName = parameters["userhash"]?.lowercased() == "true"
        isNormalized = parameters["charset"]?.lowercased() == "utf-8"
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// Returns the challenge with the server's next nonce (`nextnonce`, section 3.5).
    func renewed(with nonce: String) -> DigestChallenge {
        var challenge = self
        challenge.nonce = nonce
        return challenge
    }

    /// Returns the strongest supported challenge, or the first of equally strong ones.
    ///
    /// Servers should order them (section 3.7), but the order of fields isn't always preserved.
    ///
    /// - Parameter fieldValue: The value of `WWW-Authenticate`.
    /// - Returns: The challenge, or nil if none is supported.
    static func strongest(in fieldValue: String) -> DigestChallenge? {
        var strongest: DigestChallenge?
        for challenge in AuthenticationChallenge.challenges(in: fieldValue) {
            guard let candidate = DigestChallenge(challenge) else { continue }
            if strongest.map({ $0.strength < candidate.strength }) ?? true { strongest = candidate }
        }
        return strongest
    }

    private var strength: (Int, Int) {
        (algorithm.hash.strength, quality == nil ? 0 : 1)
    }
}
