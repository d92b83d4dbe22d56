/// A text is not JSON, and where that shows.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "unexpected end"
        case unexpectedCharacter = "unexpected character"
        case invalidString = "invalid string"
        case unsupportedNumber = "number out of range"
        case tooDeep = "nested too deeply"
    }

    /// What is wrong.
    package let reason: Reason
    /// Where it shows, in bytes from the beginning of the text.
    package let offset: Int

    /// Makes an error; one at the end of the text, or beyond it, is an unexpected end.
    init(_ reason: Reason = .unexpectedCharacter, at offset: Int, of count: Int) {
        self.reason = offset >= count ? .unexpectedEnd : reason
        self.offset = min(offset, count)
    }

    /// What is wrong and where, without a byte of the text.
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
