import NetKitSupport

/// A request method (RFC 9110, section 9), including QUERY and PATCH.
///
/// Methods are case-sensitive. Equality and hashing use ``rawValue``, so that `.custom("GET") == .get`.
public enum HTTPMethod: RawRepresentable, Sendable {
    /// Transfers a representation of the resource.
    case get
    /// Works like GET, but without the content.
    case head
    /// Has the resource process the content.
    case post
    /// Replaces the resource with the content.
    case put
    /// Applies the changes in the content to the resource (RFC 5789).
    case patch
    /// Deletes the resource.
    case delete
    /// Requests the communication options of the resource.
    case options
    /// Returns the request as the server received it.
    case trace
    /// Opens a tunnel.
    case connect
    /// Sends a safe request with content.
    case query
    /// Any other method, with its token as sent.
    case custom(String)

    /// Creates a method from its token: a named case, or ``custom(_:)`` for any other.
    ///
    /// - Parameter rawValue: The token, as sent.
    public init(rawValue: String) {
        self = Self.named.first { $0.rawValue == rawValue } ?? .custom(rawValue)
    }

    /// The token, as sent.
    public var rawValue: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .query: "QUERY"
        case .custom(let token): token
        }
    }

    /// Whether the method is read-only on the server (RFC 9110, section 9.2.1).
    public var isSafe: Bool {
        switch HTTPMethod(rawValue: rawValue) {
        case .get, .head, .options, .trace, .query: true
        case .post, .put, .patch, .delete, .connect, .custom: false
        }
    }

    /// Whether repeating the request has the same effect as one request (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether a request without a body has `Content-Length: 0` (RFC 9110, section 8.6).
    package var announcesNoBody: Bool { self == .post || self == .put || self == .patch }

    /// Whether a request with this method may have a body (RFC 9110, section 9.3).
    package var allowsBody: Bool {
        !["GET", "HEAD", "TRACE", "CONNECT"].contains(rawValue.uppercased())
    }

    /// Whether the method is a valid token.
    package var isValidToken: Bool { rawValue.isHTTPToken }

    private static let named: [HTTPMethod] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
    ]
}

// Equal by their tokens, as every RawRepresentable is: `.custom("GET")` equals `.get`.
extension HTTPMethod: Hashable {}

extension HTTPMethod: ExpressibleByStringLiteral {
    /// Finds the named case for a token, else ``custom(_:)``: `request.method == "REPORT"`.
    ///
    /// - Parameter token: The token, as it is sent.
    public init(stringLiteral token: String) { self.init(rawValue: token) }
}

extension HTTPMethod: RawDescribed {}
