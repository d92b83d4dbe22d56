public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// What was sent in one attempt of a call, and what came back.
public struct DebugInfo: Sendable {
    /// What the endpoint was made with.
    public let sessionConfiguration: URLSessionConfiguration
    /// What went wrong, nil on success; an ``ErrorResponse``.
    public let errorResponse: (any Error)?
    /// How long the attempt took, in seconds: from encoding it to having read its response.
    public let requestDuration: TimeInterval
    /// How long the parts of the attempt's last exchange took; nil where nothing was sent.
    public let phases: ExchangePhases?
    private let encoded: EncodedRequest?
    private let response: HTTPResponse?

    package init(
        sessionConfiguration: URLSessionConfiguration,
        request: EncodedRequest?,
        response: HTTPResponse?,
        error: (any Error)?,
        duration: TimeInterval,
        phases: ExchangePhases? = nil
    ) {
        self.sessionConfiguration = sessionConfiguration
        encoded = request
        self.response = response
        errorResponse = error
        requestDuration = duration
        self.phases = phases
    }

    /// What was sent last, after redirects; nil for a request that was refused.
    public var request: URLRequest? { encoded?.urlRequest }

    /// The body that came back, nil without a whole response.
    public var dataResponse: Data? { response?.body }

    /// The head that came back, nil without a whole response.
    public var urlResponse: HTTPURLResponse? {
        guard let response else { return nil }
        return HTTPURLResponse(
            url: response.url,
            statusCode: response.statusCode,
            httpVersion: "HTTP/1.1",
            headerFields: response.headers.dictionary
        )
    }

    /// The request as a shell command; nil for a request that was refused.
    ///
    /// Secrets are left out as ``Endpoint/redaction`` says. The endpoint's `cURL(for:redacting:)` shows more
    /// or less on demand.
    public var cURL: String? {
        encoded.map { CURLCommand($0, redacting: $0.redaction).description }
    }

    /// The body that came back as it may be shown: without secrets, 4 KiB of it; nil if there is none.
    var responseText: String? {
        guard let encoded, let response else { return nil }
        return
            ExchangeText.body(
                response.body,
                response.headers[.contentType],
                encoded.redaction
            )
            .first
    }

    /// What was sent and what came back as text: heads and bodies, of which 4 KiB are shown.
    ///
    /// Secrets are left out as ``Endpoint/redaction`` says. Nil for a request that was refused.
    public var transcript: String? {
        guard let encoded else { return nil }
        let answer =
            response.map { ExchangeText.response($0, to: encoded) }
            ?? [errorResponse.map { "\($0)" } ?? "no response"]
        return (ExchangeText.request(encoded) + [""] + answer).joined(separator: "\n")
    }

    /// The body that came back as text in the charset of its Content-Type, UTF-8 if that names
    /// none; nil if it is no such text.
    public var stringResponse: String? {
        // A body that is no text is no error here, there is just nothing to show.
        response.flatMap { try? $0.strictText() }
    }

    /// The body as Foundation's JSON objects, nil if it is none.
    public var jsonResponse: Any? {
        dataResponse.flatMap { data in
            // A body that is no JSON is no error here, there is just nothing to show.
            try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        }
    }
}

extension DebugInfo: Concealed {
    /// Method, URL, what went wrong or else the status, and time; no field values, no bodies.
    public var description: String {
        let outcome =
            errorResponse.map { "\($0)" } ?? response.map { "\($0.status)" } ?? "no response"
        let milliseconds = Int((requestDuration * 1_000).rounded())
        return "\(encoded?.description ?? "refused request"): \(outcome), \(milliseconds) ms"
    }
}
