public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A whole response: the head and every byte of the body, whatever the status.
///
/// Its descriptions and its mirror show the status, the method, the address without user, password
/// and query values, and the body's length; never a header's value or a byte of the body.
public struct HTTPResponse: Sendable {
    /// What the response answers; Foundation's form of it is made when somebody asks.
    private enum Source: Sendable {
        case urlRequest(URLRequest)
        case encoded(EncodedRequest)
    }

    /// What a response consists of: in one object, as each step of a call holds a response.
    private final class Parts: Sendable {
        let source: Source
        let url: URL
        let status: HTTPStatus
        let headers: HTTPHeaders
        let body: Data

        init(
            _ source: Source,
            _ url: URL,
            _ status: HTTPStatus,
            _ headers: HTTPHeaders,
            _ body: Data
        ) {
            self.source = source
            self.url = url
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    private let parts: Parts

    private var source: Source { parts.source }
    /// Where the response came from, after redirects.
    public var url: URL { parts.url }
    /// The status as it was received; any three-digit code keeps its number.
    public var status: HTTPStatus { parts.status }
    /// The header fields.
    public var headers: HTTPHeaders { parts.headers }
    /// The body after decompression, empty if there was none; its indices start at 0.
    public var body: Data { parts.body }

    /// Makes a response, for tests and for transports of one's own.
    ///
    /// - Parameters:
    ///   - request: The request as it was sent.
    ///   - url: Where the response came from.
    ///   - status: The status.
    ///   - headers: The header fields. Defaults to none.
    ///   - body: The body. Defaults to an empty one.
    public init(
        request: URLRequest,
        url: URL,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: Data = Data()
    ) {
        self.init(.urlRequest(request), url: url, status: status, headers: headers, body: body)
    }

    /// Makes the response to a request of our own.
    init(to request: EncodedRequest, _ head: ResponseHead, body: Data) {
        self.init(
            .encoded(request),
            url: request.url,
            status: head.status,
            headers: head.headers,
            body: body
        )
    }

    @inline(never)
    private init(
        _ source: Source,
        url: URL,
        status: HTTPStatus,
        headers: HTTPHeaders,
        body: Data
    ) {
        // A slice keeps the indices of what it was cut from, at which `body[0]` would trap.
        let body = body.startIndex == 0 ? body : Data(body)
        parts = Parts(source, url, status, headers, body)
    }

    /// The request as it was sent last, after redirects; without a body that was read from files.
    public var request: URLRequest {
        switch source {
        case .urlRequest(let request): request
        case .encoded(let request): request.urlRequest
        }
    }

    /// The status as a number, such as 404.
    public var statusCode: Int { status.rawValue }
}

extension HTTPResponse {
    /// The status and the header fields.
    var head: ResponseHead { ResponseHead(status: status, headers: headers) }

    /// The method of the request as it was sent last.
    package var method: String {
        switch source {
        case .urlRequest(let request): request.httpMethod ?? "GET"
        case .encoded(let request): request.method.rawValue
        }
    }

    /// Whether there is nothing to decode: 204, 205, an answer to HEAD, or an empty body.
    package var hasNoContent: Bool {
        body.isEmpty || status.rawValue == 204 || status.rawValue == 205
            || method == "HEAD"
    }

    /// The same response with JSON made from its body; the Content-Type says so.
    package func replacingBody(withJSON body: Data) -> HTTPResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        return HTTPResponse(
            source,
            url: url,
            status: status,
            headers: headers,
            body: body
        )
    }
}

extension HTTPResponse: Concealed {
    /// One line without secrets: `HTTP 404 from GET https://host/path?page (123 bytes)`.
    public var description: String {
        let size = body.count == 1 ? "1 byte" : "\(body.count) bytes"
        return "HTTP \(statusCode) from \(label) (\(size))"
    }

    /// Method and redacted URL, for errors.
    var label: String { "\(method) \(RedactedURL(url))" }
}
