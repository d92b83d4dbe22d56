import Foundation
import NetKit

extension HAR.Entry {
    /// What a transport tells of the recorded response, from its head or failure to the end.
    ///
    /// - Returns: The events.
    /// - Throws: A ``ReplayFailure`` if the body is not in the log.
    func steps() throws(ReplayFailure) -> [TransportEvent] {
        if response.status == 0 || response.error != nil {
            return [.finished(.failed(Self.failure(response.error ?? "no response was recorded")))]
        }
        let content = response.content
        let hasNone = content.text == nil && (content.size <= 0 || request.method == "HEAD")
        guard hasNone || (!content.isTruncated && content.data != nil) else {
            let address = URL(string: request.url).map { "\(RedactedURL($0))" } ?? request.url
            throw ReplayFailure(request: "\(request.method) \(address)", reason: .bodyLeftOut)
        }
        let body = content.data ?? Data()
        // NetKitTesting has a head of its own: that of MockServer's responses.
        let head = NetKit.ResponseHead(
            status: HTTPStatus(rawValue: response.status),
            headers: headers(for: body)
        )
        return [.head(head)] + (body.isEmpty ? [] : [.body(body)]) + [.finished(nil)]
    }

    private func headers(for body: Data) -> HTTPHeaders {
        var headers = HTTPHeaders()
        // Browsers write down HTTP/2's own fields too.
        for field in response.headers where !field.name.hasPrefix(":") {
            let name = HTTPHeaderName(field.name)
            // One name, one value, as URLSession has it.
            headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
        // What is hidden changed the body's length.
        if headers[.contentLength] != nil, headers[.contentEncoding] == nil, !body.isEmpty {
            headers[.contentLength] = "\(body.count)"
        }
        return headers
    }

    /// The failure of that description, as ``RecordingTransport`` writes it down.
    private static func failure(_ text: String) -> TransportError {
        let kinds: [TransportError.Kind] = [
            .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .secureConnection,
            .malformedResponse, .truncatedResponse, .responseTooLarge, .tooManyRedirects,
            .unsafeRedirect, .unsupported,
        ]
        if let kind = kinds.first(where: { $0.description == text }) { return TransportError(kind) }
        return TransportError(.other, underlying: RecordedFailure(description: text))
    }
}
