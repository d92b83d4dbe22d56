public import Foundation
import NetKitSupport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The request and the response of one attempt of a call.
public struct DebugInfo: Sendable {
    /// The session configuration that the endpoint was created with.
    public let sessionConfiguration: URLSessionConfiguration
    /// The ``ErrorResponse`` of the attempt, or nil on success.
    public let errorResponse: (any Error)?
    /// The duration of the attempt in seconds, including its interceptors, the endpoint's queue and redirects.
    public let requestDuration: TimeInterval
    /// The timing of the attempt's last exchange, or nil if nothing was sent.
    public let phases: ExchangePhases?
    private let encoded: EncodedRequest?
    private let response: HTTPResponse?

    package init(
        sessionConfiguration: URLSessionConfiguration,
        request: EncodedRequest? = nil,
        response: HTTPResponse? = nil,
        error: (any Error)?,
        duration: TimeInterval = 0,
        phases: ExchangePhases? = nil
    ) {
        self.sessionConfiguration = sessionConfiguration
        encoded = request
        self.response = response
        errorResponse = error
        requestDuration = duration
        self.phases = phases
    }

    /// The request as last sent, after redirects, or nil if it was refused.
    public var request: URLRequest? { encoded?.urlRequest }

    /// The response body, or nil without a complete response.
    public var dataResponse: Data? { response?.body }

    /// The response head, or nil without a complete response.
    ///
    /// Its HTTP version is that of the connection, or 1.1 if the transport doesn't know it.
    public var urlResponse: HTTPURLResponse? {
        guard let response else { return nil }
        return HTTPURLResponse(
            url: response.url,
            statusCode: response.statusCode,
            httpVersion: "HTTP/\(phases?.connection?.httpVersion ?? "1.1")",
            headerFields: response.headers.dictionary
        )
    }

    /// The request as a `curl` command, or nil if it was refused.
    ///
    /// It contains what ``Endpoint/redaction`` shows, by default no body. To show more, use the endpoint's
    /// `cURL(for:redacting:)`.
    public var cURL: String? {
        encoded.map { CURLCommand($0, redacting: $0.redaction).description }
    }

    /// The response body with fields redacted by name, up to 4 KiB, or nil if there is none.
    var responseText: String? {
        guard let encoded, let response else { return nil }
        let redaction = encoded.redaction.showingFields
        return ExchangeText.body(response.body, response.headers[.contentType], redaction).first
    }

    /// The request and the response as redacted text.
    ///
    /// It contains what ``Endpoint/redaction`` shows: by default, the media type and length of each body, and otherwise
    /// up to 4 KiB of it. The value is nil if the request was refused.
    public var transcript: String? {
        guard let encoded else { return nil }
        let answer =
            response.map { ExchangeText.response($0, by: encoded.redaction) }
            ?? [errorResponse.map { "\($0)" } ?? "no response"]
        let asked = ExchangeText.request(encoded, by: encoded.redaction)
        return (asked + [""] + answer).joined(separator: "\n")
    }

    /// The response body as text, or nil if it isn't valid text.
    ///
    /// The charset is that of its Content-Type. Defaults to UTF-8.
    public var stringResponse: String? {
        // A body that isn't text isn't an error here.
        response.flatMap { try? $0.strictText() }
    }

    /// The response body as Foundation JSON objects, or nil if it isn't JSON.
    public var jsonResponse: Any? {
        dataResponse.flatMap { data in
            // A body that isn't JSON isn't an error here.
            guard let text = try? JSONText.decodable(data, by: JSONDecoder()) else { return nil }
            return try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
        }
    }
}

extension DebugInfo: Concealed {
    /// The method, the redacted URL, the error or status, and the duration.
    ///
    /// A refused request has no method and URL. Header values and the contents of bodies aren't included.
    package var shown: String {
        let outcome =
            errorResponse.map { "\($0)" } ?? response.map { "\($0.status)" } ?? "no response"
        let time = DurationText(.seconds(requestDuration))
        return "\(encoded?.description ?? "refused request"): \(outcome), \(time)"
    }
}
