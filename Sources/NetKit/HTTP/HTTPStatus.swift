/// A response's status code (RFC 9110, section 15).
///
/// Any code keeps its number, known or not. 2xx alone is success.
public struct HTTPStatus: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The code.
    public let rawValue: Int

    /// Makes a status of any code.
    ///
    /// - Parameter rawValue: The code.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes a status from a literal.
    ///
    /// - Parameter value: The code.
    public init(integerLiteral value: Int) {
        self.init(rawValue: value)
    }

    /// Whether the code is 1xx: the real response is still to come.
    public var isInformational: Bool { (100...199).contains(rawValue) }
    /// Whether the code is 2xx.
    public var isSuccessful: Bool { (200...299).contains(rawValue) }
    /// Whether the code is 3xx.
    public var isRedirection: Bool { (300...399).contains(rawValue) }
    /// Whether the code is 4xx: the request is at fault.
    public var isClientError: Bool { (400...499).contains(rawValue) }
    /// Whether the code is 5xx: the server is at fault.
    public var isServerError: Bool { (500...599).contains(rawValue) }
    /// The phrase that IANA lists for the code, nil for one that it does not.
    public var reasonPhrase: String? { Self.reasonPhrases[rawValue] }

    /// Lets a `switch` match ranges of codes, as in `case 500...599:`.
    ///
    /// - Parameters:
    ///   - codes: The codes.
    ///   - status: A status.
    /// - Returns: Whether the status's code is among them.
    public static func ~= (codes: some RangeExpression<Int>, status: HTTPStatus) -> Bool {
        codes.contains(status.rawValue)
    }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its phrase, such as `404 Not Found`.
    public var description: String { reasonPhrase.map { "\(rawValue) \($0)" } ?? "\(rawValue)" }
}
