public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A request as it goes on the wire, once: everything checked, nothing left to decide.
public struct EncodedRequest: Sendable {
    private struct Parts: Sendable {
        var url: URL
        /// The URL's origin, as long as the URL is the one that was encoded.
        var origin: Origin?
        var method: HTTPMethod
        var headers: HTTPHeaders
        var body: BodySource?
        var redaction = Redaction.secrets
        var isAuthenticated = true
    }

    /// Shared by all copies: a request is handed on many times and changed next to never.
    private final class Shared: Sendable {
        let parts: Parts

        init(_ parts: Parts) {
            self.parts = parts
        }
    }

    private var shared: Shared
    /// What ``Authentication`` remembers of when it was asked.
    var authenticationEpoch = 0
    /// What the exchange is for; the endpoint sets it just before the transport gets the request.
    public internal(set) var kind = ExchangeKind.call

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Where it goes.
    ///   - method: The method.
    ///   - headers: All fields but `Content-Length` and `Host`.
    ///   - body: The content, nil without one.
    public init(url: URL, method: HTTPMethod, headers: HTTPHeaders = [:], body: BodySource? = nil) {
        self.init(url: url, origin: nil, method: method, headers: headers, body: body)
    }

    /// Makes a request whose origin may be known.
    init(url: URL, origin: Origin?, method: HTTPMethod, headers: HTTPHeaders, body: BodySource?) {
        shared = Shared(
            Parts(url: url, origin: origin, method: method, headers: headers, body: body)
        )
    }

    /// Where it goes.
    public var url: URL {
        get { shared.parts.url }
        set { change { ($0.url, $0.origin) = (newValue, nil) } }
    }

    /// The method.
    public var method: HTTPMethod {
        get { shared.parts.method }
        set { change { $0.method = newValue } }
    }

    /// All fields but `Content-Length` and `Host`, with their marks.
    public var headers: HTTPHeaders {
        get { shared.parts.headers }
        set { change { $0.headers = newValue } }
    }

    /// The content, nil without one.
    public var body: BodySource? {
        get { shared.parts.body }
        set { change { $0.body = newValue } }
    }

    /// What is not shown where it is written down: what the endpoint and the request hide.
    package var redaction: Redaction {
        get { shared.parts.redaction }
        set { change { $0.redaction = newValue } }
    }

    /// Whether the endpoint's credentials go along.
    var isAuthenticated: Bool {
        get { shared.parts.isAuthenticated }
        set { change { $0.isAuthenticated = newValue } }
    }

    @inline(never)
    private mutating func change(_ change: (inout Parts) -> Void) {
        var parts = shared.parts
        change(&parts)
        shared = Shared(parts)
    }

    /// Scheme, host and port; nil for a URL that is not http or https or has no host.
    package var origin: Origin? { shared.parts.origin ?? Origin(url) }

    /// The request as Foundation knows it; a body that is not in memory is not part of it.
    public var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        if method != .get { request.httpMethod = method.rawValue }
        request.allHTTPHeaderFields = headers.dictionary
        if let data = body?.data { request.httpBody = data }
        return request
    }
}

extension EncodedRequest {
    /// Method and redacted URL, for errors.
    var label: String { "\(method) \(RedactedURL(url))" }
}

extension EncodedRequest: Concealed {
    /// Method, URL without its query values, and the body's length; no field values.
    public var description: String {
        let length = body.map { " (\($0.length) bytes)" } ?? ""
        return label + length
    }
}

/// What an exchange is for: connection limits count each kind for itself.
///
/// A ``Transport`` that limits its connections should count each kind for itself too. Otherwise long-lived
/// streams keep other calls from being sent, and calls that wait for a new token keep it from being fetched.
public enum ExchangeKind: Int, CaseIterable, Hashable, Sendable {
    /// A call that ends with its response.
    case call
    /// A response that is read as it arrives, which may last for hours.
    case stream
    /// A request of a credential refresh, for which other calls wait.
    case refresh
}
