public import Foundation
package import NetKitSupport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A complete response: the head and all bytes of the body, whatever the status code.
///
/// Its descriptions and its mirror show the status code, the method, the redacted URL, and the body's length. The URL
/// appears without user, password, and query values. Header values and body bytes never appear.
public struct HTTPResponse: Sendable {
    /// The request of the response.
    ///
    /// The `URLRequest` form is created on demand.
    private enum Source: Sendable {
        case urlRequest(URLRequest)
        case encoded(EncodedRequest)
    }

    private struct Parts: Sendable {
        let source: Source
        let url: URL
        var status: HTTPStatus
        var headers: HTTPHeaders
        var body: Data
        /// Where in another call the response was received; nil outside of a token refresh.
        var place: FailurePlace?
        /// The status that was received, if the request reads it as another one.
        var receivedStatus: HTTPStatus?
        /// Whether the cache answered without a server.
        var isOfCache = false
    }

    private let shared: Box<Parts>

    /// The URL of the response, after redirects.
    public var url: URL { shared.value.url }
    /// The status code as received, or as ``Request/status(of:)`` reads it.
    ///
    /// Any three-digit code keeps its number.
    public var status: HTTPStatus { shared.value.status }
    /// The header fields of the response.
    public var headers: HTTPHeaders { shared.value.headers }
    /// The body after decompression, or empty data if there was none.
    ///
    /// It is also empty if a download or a stream received the body. Its indices start at 0.
    public var body: Data { shared.value.body }

    /// Creates a response for tests.
    ///
    /// - Parameters:
    ///   - request: The request as sent.
    ///   - url: The URL of the response.
    ///   - status: The status code.
    ///   - headers: The header fields. Defaults to none.
    ///   - body: The body. Defaults to empty data.
    public init(
        request: URLRequest,
        url: URL,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: Data = Data()
    ) {
        self.init(
            Parts(
                source: .urlRequest(request),
                url: url,
                status: status,
                headers: headers,
                body: body
            )
        )
    }

    /// Creates a response to a request, for an ``Interceptor`` that answers by itself or replaces a response.
    ///
    /// - Parameters:
    ///   - request: The request that the interceptor received.
    ///   - status: The status code.
    ///   - headers: The header fields. Defaults to none.
    ///   - body: The body. Defaults to empty data.
    public init(
        to request: EncodedRequest,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        body: Data = Data()
    ) {
        self.init(to: request, ResponseHead(status: status, headers: headers), body: body)
    }

    /// Creates the response to an encoded request.
    package init(
        to request: EncodedRequest,
        _ head: ResponseHead,
        body: Data,
        isOfCache: Bool = false
    ) {
        self.init(
            Parts(
                source: .encoded(request),
                url: request.url,
                status: head.status,
                headers: head.headers,
                body: body,
                isOfCache: isOfCache
            )
        )
    }

    @inline(never)
    private init(_ parts: Parts) {
        var parts = parts
        // A slice keeps its parent's indices, so `body[0]` would trap.
        if parts.body.startIndex != 0 { parts.body = Data(parts.body) }
        shared = Box(parts)
    }

    /// The request as last sent, after redirects.
    ///
    /// Its body is included only if it is in memory. Files, streams and forms larger than 64 KiB aren't.
    public var request: URLRequest {
        switch shared.value.source {
        case .urlRequest(let request): request
        case .encoded(let request): request.urlRequest
        }
    }

    /// The status code as an integer, such as 404.
    public var statusCode: Int { status.rawValue }
}

extension HTTPResponse {
    /// The status code and the header fields.
    package var head: ResponseHead { ResponseHead(status: status, headers: headers) }

    /// The method of the request as last sent.
    package var method: String {
        switch shared.value.source {
        case .urlRequest(let request): request.httpMethod ?? "GET"
        case .encoded(let request): request.method.rawValue
        }
    }

    /// Whether a redirect led to the URL, or may have, if an interceptor made the response with a `URLRequest`.
    package var isRedirected: Bool {
        switch shared.value.source {
        case .urlRequest: true
        case .encoded(let request): request.isRedirected
        }
    }

    /// Whether the response has nothing to decode.
    ///
    /// True for 204, 205, a response to HEAD, and an empty body.
    package var hasNoContent: Bool {
        body.isEmpty || status.rawValue == 204 || status.rawValue == 205
            || method == "HEAD"
    }

    /// Returns the same response with a JSON body derived from the original one.
    ///
    /// - Parameter body: The JSON document.
    /// - Returns: A copy whose `Content-Type` is `application/json`.
    package func replacingBody(withJSON body: Data) -> HTTPResponse {
        changed { parts in
            parts.headers[.contentType] = "application/json"
            parts.body = body
        }
    }

    /// The status code as received.
    package var receivedStatus: HTTPStatus { shared.value.receivedStatus ?? status }

    /// Whether the cache answered without a server.
    var isOfCache: Bool { shared.value.isOfCache }

    /// The same response, with the status that the request reads it as.
    func read(as status: HTTPStatus) -> HTTPResponse {
        changed { ($0.status, $0.receivedStatus) = (status, receivedStatus) }
    }

    /// The same response with other parts.
    private func changed(_ change: (inout Parts) -> Void) -> HTTPResponse {
        var parts = shared.value
        change(&parts)
        return HTTPResponse(parts)
    }

    /// The status for logs, with the one that was received.
    var statusLine: String {
        shared.value.receivedStatus.map { "\(status) (sent as \($0))" } ?? "\(status)"
    }
}

extension HTTPResponse: Concealed {
    /// A one-line redacted description: `HTTP 404 from GET https://host/path?page (123 bytes)`.
    package var shown: String {
        let size = body.count == 1 ? "1 byte" : "\(body.count) bytes"
        return "HTTP \(statusCode) from \(label) (\(size))"
    }

    /// Method and redacted URL, for errors.
    var label: String { "\(method) \(RedactedURL(url))" }

    /// One line about the response for logs, which begins with its request.
    func line(_ words: String) -> String { shared.value.place?.line(words) ?? "\(label): \(words)" }

    /// One line about the response for people, without URLs.
    func message(_ words: String) -> String { shared.value.place?.message(words) ?? words }

    /// The same response, received during a token refresh.
    func duringRefresh() -> HTTPResponse {
        changed { $0.place = ($0.place ?? FailurePlace(label)).duringRefresh() }
    }

    /// The same response, with the request of the call that waited for the refresh.
    func of(_ request: String) -> HTTPResponse {
        changed { $0.place = $0.place?.of(request) }
    }
}

extension HTTPResponse {
    /// The body as text, decoded with the charset of its `Content-Type`.
    ///
    /// The default charset is UTF-8. A byte order mark takes precedence over the header field and is removed. This
    /// property never fails: invalid parts of UTF-8 and UTF-16 become U+FFFD, and a body that is invalid in another
    /// charset is read as UTF-8. Decoding to a `String` response value is strict instead.
    public var text: String {
        // Repairs only text that is invalid.
        (try? strictText()) ?? BodyText.repaired(body, charset: charset)
    }

    /// Decodes the body as text and fails on invalid bytes.
    ///
    /// - Returns: The text without a byte order mark.
    /// - Throws: `UnreadableText` if the charset is unknown or the body isn't valid in it.
    package func strictText() throws(UnreadableText) -> String {
        try BodyText.decoded(body, charset: charset)
    }

    /// The media type that the response declares, also with broken parameters; nil if it declares none.
    var mediaType: MimeType? { declared.map { MimeType(rawValue: $0.trimmedText) } }

    /// The charset that the response declares, in lowercase.
    var charset: String? { declared?.parameters["charset"]?.lowercased() }

    private var declared: MimeTypeParts? {
        headers[.contentType].flatMap { MimeTypeParts(received: $0) }
    }
}

// The URLs in the header fields of a response.
extension HTTPResponse {
    /// The URL in `Location`, resolved against the response's URL (RFC 9110, section 10.2.2).
    ///
    /// ```swift
    /// let upload = try await endpoint.response(for: StartUpload())
    /// let session = upload.http.location  // https://registry.example/v2/app/blobs/uploads/7
    /// ```
    ///
    /// Nil if ``url(in:)`` returns nil for the field.
    public var location: URL? { url(in: .location) }

    /// Returns the URL in a header field, resolved against the response's URL.
    ///
    /// For fields whose whole value is one URI reference, such as `Location`, `Content-Location` and
    /// `Operation-Location`. It resolves dot segments, encodes invalid bytes, and removes a user name and password.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The absolute URL, or nil if the response has no such field or several. It is also nil for a value that isn't
    ///   a URL. An http or https URL needs a host, and a port from 1 to 65535 if it has one.
    public func url(in name: HTTPHeaderName) -> URL? {
        let values = headers.values(for: name)
        guard let value = values.first, values.count == 1 else { return nil }
        return RedirectTarget.reference(value, against: url)
    }
}
