/// A request method (RFC 9110, section 9), with QUERY and PATCH.
///
/// Methods are case-sensitive. Equality and hashing are by ``rawValue``, so that
/// `.custom("GET") == .get`.
public enum HTTPMethod: RawRepresentable, Sendable {
    /// Transfer a representation of the resource.
    case get
    /// As GET, without the content.
    case head
    /// Let the resource process the content.
    case post
    /// Replace the resource by the content.
    case put
    /// Change the resource as the content says (RFC 5789).
    case patch
    /// Remove the resource.
    case delete
    /// Describe how to communicate with the resource.
    case options
    /// Send back what arrived.
    case trace
    /// Make a tunnel.
    case connect
    /// A safe request with content.
    case query
    /// Any other method, with its token as it is sent.
    case custom(String)

    /// Finds the named case for a token, else ``custom(_:)``.
    ///
    /// - Parameter rawValue: The token, as it is sent.
    public init(rawValue: String) {
        self = Self.named.first { $0.rawValue == rawValue } ?? .custom(rawValue)
    }

    /// The token as it is sent.
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

    /// Whether the method asks for no change on the server (RFC 9110, section 9.2.1).
    public var isSafe: Bool {
        switch HTTPMethod(rawValue: rawValue) {
        case .get, .head, .options, .trace, .query: true
        case .post, .put, .patch, .delete, .connect, .custom: false
        }
    }

    /// Whether several identical requests mean the same as one (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool {
        switch HTTPMethod(rawValue: rawValue) {
        case .put, .delete: true
        case .get, .head, .options, .trace, .query: true
        case .post, .patch, .connect, .custom: false
        }
    }

    /// Whether the token is one that may stand on the wire.
    package var isValidToken: Bool { rawValue.isHTTPToken }

    private static let named: [HTTPMethod] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
    ]
}

extension HTTPMethod: Hashable {
    @inline(never)
    public static func == (left: HTTPMethod, right: HTTPMethod) -> Bool {
        left.rawValue == right.rawValue
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The token as it is sent.
    public var description: String { rawValue }
}
