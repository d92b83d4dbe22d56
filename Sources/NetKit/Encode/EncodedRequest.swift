#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A request as it goes on the wire, once: everything checked, nothing left to decide.
public struct EncodedRequest: Sendable {
    /// Where it goes.
    public var url: URL {
        didSet { knownOrigin = nil }
    }

    /// The URL's origin, as long as the URL is the one that was encoded.
    private var knownOrigin: Origin?
    /// The method.
    public var method: HTTPMethod
    /// All fields but `Content-Length` and `Host`, with their marks.
    public var headers: HTTPHeaders
    /// The content, nil without one.
    public var body: BodySource?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Where it goes.
    ///   - method: The method.
    ///   - headers: All fields but `Content-Length` and `Host`.
    ///   - body: The content, nil without one.
    public init(url: URL, method: HTTPMethod, headers: HTTPHeaders = [:], body: BodySource? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// Makes a request whose origin is known.
    init(url: URL, origin: Origin, method: HTTPMethod, headers: HTTPHeaders, body: BodySource?) {
        self.init(url: url, method: method, headers: headers, body: body)
        knownOrigin = origin
    }

    /// Scheme, host and port; nil for a URL that is not http or https or has no host.
    package var origin: Origin? { knownOrigin ?? Origin(url) }

    /// The request as Foundation knows it; a body that is not in memory is not part of it.
    public var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        if method != .get { request.httpMethod = method.rawValue }
        request.allHTTPHeaderFields = headers.dictionary
        if let data = body?.data { request.httpBody = data }
        return request
    }
}

extension EncodedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, URL without its query values, and the body's length; no field values.
    public var description: String {
        let length = body.map { " (\($0.length) bytes)" } ?? ""
        return "\(method) \(RedactedURL(url))\(length)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows what ``description`` shows.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
