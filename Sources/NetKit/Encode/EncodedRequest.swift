public import Foundation
package import NetKitSupport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A validated request, ready to be sent once.
public struct EncodedRequest: Sendable {
    private struct Parts: Sendable {
        var url: URL
        /// The origin of the encoded URL, until the URL changes.
        var origin: Origin?
        var method: HTTPMethod
        var headers: HTTPHeaders
        var body: BodySource?
        var redaction = Redaction.secrets
        var isAuthenticated = true
        var isRedirected = false
        var hasForeignCredential = false
        var pathTemplate: String?
    }

    private var shared: Box<Parts>
    /// The epoch at which ``Authentication`` added the credential.
    var authenticationEpoch = 0
    /// The purpose of the exchange.
    ///
    /// The endpoint sets it just before the transport receives the request.
    public internal(set) var kind = ExchangeKind.call

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - method: The HTTP method.
    ///   - headers: The header fields, which aren't validated. Leave out `Content-Length` and `Host`, which the
    ///     transport sets. Defaults to none.
    ///   - body: The body. Defaults to nil, no body.
    public init(url: URL, method: HTTPMethod, headers: HTTPHeaders = [:], body: BodySource? = nil) {
        self.init(url: url, origin: nil, method: method, headers: headers, body: body)
    }

    /// Creates a request with an origin, if it is known.
    init(url: URL, origin: Origin?, method: HTTPMethod, headers: HTTPHeaders, body: BodySource?) {
        shared = Box(Parts(url: url, origin: origin, method: method, headers: headers, body: body))
    }

    /// The URL.
    public var url: URL {
        get { shared.value.url }
        set { change { ($0.url, $0.origin, $0.pathTemplate) = (newValue, nil, nil) } }
    }

    /// The HTTP method.
    public var method: HTTPMethod {
        get { shared.value.method }
        set { change { $0.method = newValue } }
    }

    /// All header fields except `Content-Length`, with their sensitive marks.
    ///
    /// `Host` is included only with ``HTTPHeaders/allowsHostOverride``.
    public var headers: HTTPHeaders {
        get { shared.value.headers }
        set { change { $0.headers = newValue } }
    }

    /// The body, or nil without one.
    public var body: BodySource? {
        get { shared.value.body }
        set { change { $0.body = newValue } }
    }

    /// The combined redaction of the endpoint and the request.
    package var redaction: Redaction {
        get { shared.value.redaction }
        set { change { $0.redaction = newValue } }
    }

    /// Whether the request carries the endpoint's credentials: it may, and has no token of its own in whatever field.
    var isAuthenticated: Bool {
        get { shared.value.isAuthenticated }
        set { change { $0.isAuthenticated = newValue } }
    }

    /// Whether an interceptor of an exchange changed a credential, so that another user may have sent the request.
    package internal(set) var hasForeignCredential: Bool {
        get { shared.value.hasForeignCredential }
        set { change { $0.hasForeignCredential = newValue } }
    }

    /// Whether a redirect led to the request.
    var isRedirected: Bool { shared.value.isRedirected }

    /// Changes the URL to that of a redirect.
    mutating func redirect(to target: URL) {
        change { parts in
            (parts.url, parts.origin, parts.pathTemplate) = (target, nil, nil)
            parts.isRedirected = true
        }
    }

    /// The path that the URL was made of, with `{name}` for each placeholder; nil without any before the query.
    var pathTemplate: String? {
        get { shared.value.pathTemplate }
        set { change { $0.pathTemplate = newValue } }
    }

    @inline(never)
    private mutating func change(_ change: (inout Parts) -> Void) {
        var parts = shared.value
        change(&parts)
        shared = Box(parts)
    }

    /// Whether both are copies of one request, neither of which was changed since.
    func isSame(as other: EncodedRequest) -> Bool { shared === other.shared }

    /// Replaces what user code may change, and keeps everything else: redaction, authentication and kind.
    ///
    /// The path template is kept with the URL that was made of it, and the method gets its ``HTTPMethod/sentForm``.
    ///
    /// - Parameters:
    ///   - other: The request with the new URL, method and body.
    ///   - origin: The origin of its URL.
    ///   - headers: The new header fields.
    /// - Throws: ``InvalidRequest`` if the body can't be sent.
    mutating func replaceContent(
        by other: EncodedRequest,
        at origin: Origin,
        headers: HTTPHeaders
    ) throws(InvalidRequest) {
        let body: BodySource? =
            if let source = other.body { try ExactLengthReader.source(checking: source) } else {
                nil
            }
        change { parts in
            if other.url != parts.url {
                (parts.url, parts.pathTemplate) = (other.url.withLowercasedScheme, nil)
            }
            (parts.origin, parts.method, parts.headers) = (origin, other.method.sentForm, headers)
            parts.body = body
        }
    }

    /// The request, which asks for a range without a coding: it counts the bytes on the wire (RFC 9110, section 14.1.2).
    @inline(never)
    func withPlainRange() -> EncodedRequest {
        guard headers[.range] != nil, headers[.acceptEncoding] == nil else { return self }
        var request = self
        request.headers[.acceptEncoding] = "identity"
        return request
    }

    /// The scheme, host and port, or nil if the URL has no valid origin.
    package var origin: Origin? { shared.value.origin ?? Origin(url) }

    /// The host and port that a `Host` field names in place of the URL's, in lowercase.
    ///
    /// Nil if the server sees those of the URL.
    package var authorityOverride: String? {
        headers[.host].flatMap { origin?.override(by: $0) }
    }

    /// The request as a `URLRequest`, without a body unless it is in memory.
    public var urlRequest: URLRequest { urlRequest(with: headers.dictionary) }

    /// The method in the form of `URLRequest`, which capitalizes some methods, such as `get`.
    ///
    /// Signatures are made for that form, so it must be the one that is sent.
    package var sentMethod: HTTPMethod { method.sentForm }

    /// The request as a `URLRequest` with other header fields.
    func urlRequest(with fields: [String: String]) -> URLRequest {
        var request = URLRequest(url: url)
        if method != .get { request.httpMethod = method.rawValue }
        request.allHTTPHeaderFields = fields
        if let data = body?.data { request.httpBody = data }
        return request
    }
}

extension HTTPMethod {
    /// The method in the form of `URLRequest`, which capitalizes some methods, such as `get`.
    ///
    /// Encoded requests have this form, so that every layer takes a method for the one that the server receives.
    package var sentForm: HTTPMethod {
        guard case .custom(let token) = self, isValidToken else { return self }
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = token
        return HTTPMethod(rawValue: request.httpMethod ?? token)
    }
}

extension EncodedRequest {
    /// The media type by which the body is redacted.
    ///
    /// Nothing can be redacted within encoded content, such as gzip, whatever its `Content-Type` is.
    package var redactedType: String? {
        switch headers[.contentEncoding]?.lowercased() {
        case nil: headers[.contentType]
        case "gzip", "x-gzip": "application/gzip"
        default: "application/x-encoded"
        }
    }

    /// Method and redacted URL, for errors.
    var label: String { "\(method) \(RedactedURL(url))" }
}

extension EncodedRequest: Concealed {
    /// The method, the URL without query values, and the body's length.
    ///
    /// No field values.
    package var shown: String {
        let length = body.map { " (\($0.size))" } ?? ""
        return label + length
    }
}

/// The purpose of an exchange, which determines the connection limit that applies to it.
///
/// A ``Transport`` that limits its connections should count each kind separately. Otherwise, long-lived streams block
/// other calls, and calls that wait for a new token block its refresh.
public enum ExchangeKind: Int, CaseIterable, Hashable, Sendable {
    /// A call that ends with its response.
    case call
    /// A response that is read as it arrives, possibly for hours.
    case stream
    /// A credential refresh that other calls wait for.
    case refresh
}
