/// The status code of a response (RFC 9110, section 15).
///
/// Unknown codes are kept. Only 2xx is success.
public struct HTTPStatus: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The code.
    public let rawValue: Int

    /// Creates a status from any code.
    ///
    /// - Parameter rawValue: The code.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a status from a literal.
    ///
    /// - Parameter value: The code.
    public init(integerLiteral value: Int) {
        self.init(rawValue: value)
    }

    /// Whether the code is 1xx, an interim response.
    public var isInformational: Bool { (100...199).contains(rawValue) }
    /// Whether the code is 2xx.
    public var isSuccessful: Bool { (200...299).contains(rawValue) }
    /// Whether the code is 3xx.
    public var isRedirection: Bool { (300...399).contains(rawValue) }
    /// Whether the code is 4xx, an error in the request.
    public var isClientError: Bool { (400...499).contains(rawValue) }
    /// Whether the code is 5xx, a server failure.
    public var isServerError: Bool { (500...599).contains(rawValue) }
    /// The reason phrase registered with IANA, or nil for an unregistered code.
    public var reasonPhrase: String? { Self.reasonPhrases[rawValue] }

    /// Matches a range of codes in a `switch`, as in `case 500...599:`.
    ///
    /// - Parameters:
    ///   - codes: The range of codes.
    ///   - status: The status to match.
    /// - Returns: Whether the range contains the status code.
    public static func ~= (codes: some RangeExpression<Int>, status: HTTPStatus) -> Bool {
        codes.contains(status.rawValue)
    }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its reason phrase, such as `404 Not Found`.
    public var description: String { reasonPhrase.map { "\(rawValue) \($0)" } ?? "\(rawValue)" }
}
