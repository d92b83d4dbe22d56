/// A number of a JSON document that no Swift type holds, such as `1e400`, kept as it was written.
struct JSONNumberLiteral: Hashable, Sendable, CustomStringConvertible {
    /// The number's text.
    let description: String
}
