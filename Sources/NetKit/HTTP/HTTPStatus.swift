import NetKitSupport

/// The status code of a response (RFC 9110, section 15).
///
/// Unknown codes are kept. Only 2xx is success.
public struct HTTPStatus: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The code.
    public let rawValue: Int

    /// Creates a status from any code.
    ///
    /// - Parameter rawValue: The code.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a status from a literal.
    ///
    /// - Parameter value: The code.
    public init(integerLiteral value: Int) { self.init(rawValue: value) }

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
    public var reasonPhrase: String? { ReasonPhrases.registered[rawValue] }

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

extension HTTPStatus: Described {
    /// The code and its reason phrase, such as `404 Not Found`.
    package var shown: String { reasonPhrase.map { "\(rawValue) \($0)" } ?? "\(rawValue)" }
}

/// Names of common status codes.
///
/// Use an integer literal for any other, such as `418`.
extension HTTPStatus {
    /// 200 OK.
    public static let ok = HTTPStatus(rawValue: 200)
    /// 201 Created.
    public static let created = HTTPStatus(rawValue: 201)
    /// 202 Accepted.
    public static let accepted = HTTPStatus(rawValue: 202)
    /// 204 No Content.
    public static let noContent = HTTPStatus(rawValue: 204)
    /// 304 Not Modified.
    public static let notModified = HTTPStatus(rawValue: 304)
    /// 400 Bad Request.
    public static let badRequest = HTTPStatus(rawValue: 400)
    /// 401 Unauthorized.
    public static let unauthorized = HTTPStatus(rawValue: 401)
    /// 403 Forbidden.
    public static let forbidden = HTTPStatus(rawValue: 403)
    /// 404 Not Found.
    public static let notFound = HTTPStatus(rawValue: 404)
    /// 422 Unprocessable Content.
    public static let unprocessableContent = HTTPStatus(rawValue: 422)
    /// 429 Too Many Requests.
    public static let tooManyRequests = HTTPStatus(rawValue: 429)
    /// 500 Internal Server Error.
    public static let internalServerError = HTTPStatus(rawValue: 500)
    /// 503 Service Unavailable.
    public static let serviceUnavailable = HTTPStatus(rawValue: 503)
}
