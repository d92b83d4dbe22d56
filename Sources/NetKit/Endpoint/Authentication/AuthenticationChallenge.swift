/// One way in which a server asks for a credential (RFC 9110, section 11.3).
struct AuthenticationChallenge: Hashable, Sendable {
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
