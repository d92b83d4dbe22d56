/// What is wrong with a part of a request's head that is refused.
package enum FieldProblem {
    /// What is wrong with a method that isn't a token.
    package static func ofMethod(_ method: String) -> String {
        if method.isEmpty { return "it is empty" }
        if method.contains(" ") { return "a method has no spaces" }
        return "it is not a token (RFC 9110, section 9.1), such as POST"
    }

    /// What is wrong with a field whose name isn't a token, or whose value has control characters.
    package static func of(_ name: String, _ value: String) -> String {
        if !name.isHTTPToken { return "the name is not a token (RFC 9110, section 5.1)" }
        let isBroken = value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        return isBroken
            ? "the value contains a line break" : "the value contains a control character"
    }
}
