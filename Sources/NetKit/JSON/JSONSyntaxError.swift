/// A JSON syntax error, with its position.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "unexpected end"
        case unexpectedCharacter = "unexpected character"
        case invalidString = "invalid string"
        case unsupportedNumber = "number out of range"
        case tooDeep = "nested too deeply"
    }

    /// The kind of error.
    package let reason: Reason
    /// The position of the error, in bytes from the start of the text.
    package let offset: Int

    /// Creates an error.
    ///
    /// At or beyond the end of the text, its reason is an unexpected end.
    init(_ reason: Reason = .unexpectedCharacter, at offset: Int, of count: Int) {
        self.reason = offset >= count ? .unexpectedEnd : reason
        self.offset = min(offset, count)
    }

    /// The reason and the position, without any of the text.
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
