import Foundation
import NetKit
import NetKitHAR
import NetKitSupport

extension HAR.Entry {
    /// Returns the transport events of the recorded response, from its head or failure to its end.
    ///
    /// - Returns: The events.
    /// - Throws: A ``ReplayFailure`` if the body is missing from the log.
    func steps() throws(ReplayFailure) -> [TransportEvent] {
        let content = response.content
        let status = HTTPStatus(rawValue: response.status)
        let isBodiless = request.method == "HEAD" || !status.allowsBody
        let isEmpty = content.size <= 0 && !content.isTruncated
        let hasNone = content.text == nil && (isBodiless || isEmpty)
        let body = hasNone ? Data() : content.isTruncated ? nil : content.data
        if response.status == 0 || response.error != nil {
            let failure = Self.failure(response.error ?? "no response was recorded")
            let beginning = response.status == 0 ? nil : body.map { events(status, $0) }
            return (beginning ?? []) + [.finished(.failed(failure))]
        }
        guard let body else {
            let address = URL(string: request.url).map { "\(RedactedURL($0))" } ?? request.url
            throw ReplayFailure(request: "\(request.method) \(address)", reason: .bodyNotRecorded)
        }
        return events(status, body) + [.finished(nil)]
    }

    /// Returns the events before the end.
    private func events(_ status: HTTPStatus, _ body: Data) -> [TransportEvent] {
        let head = ResponseHead(status: status, headers: headers(for: body))
        return [.head(head)] + (body.isEmpty ? [] : [.body(body)])
    }

    private func headers(for body: Data) -> HTTPHeaders {
        var headers = HTTPHeaders()
        // Browsers also record HTTP/2's pseudo-header fields.
        for field in response.headers where !field.name.hasPrefix(":") {
            headers.append(field.value, for: HTTPHeaderName(field.name))
        }
        if let type = headers.contentType, response.content.isTranscoded(from: type.rawValue) {
            let parameters = type.parameters.merging(["charset": "utf-8"]) { $1 }.sortedByName
                .map { "; \($0)=\(MimeTypeParts.quotedIfNeeded($1))" }
            headers[.contentType] = "\(type.type)/\(type.subtype)\(parameters.joined())"
        }
        // Redaction changed the body's length, unless only the beginning of it arrived.
        if let length = headers[.contentLength], headers[.contentEncoding] == nil, !body.isEmpty,
            response.error == nil || body.count > Int(length) ?? 0
        {
            headers[.contentLength] = "\(body.count)"
        }
        return headers
    }

    /// Returns the failure for a description recorded by ``RecordingTransport``.
    private static func failure(_ text: String) -> TransportError {
        let kinds: [TransportError.Kind] = [
            .cannotFindHost, .cannotConnect, .connectionLost, .notConnected, .secureConnection,
            .malformedResponse, .truncatedResponse, .responseTooLarge, .tooManyRedirects,
            .unsafeRedirect, .unsupported,
        ]
        if let kind = kinds.first(where: { $0.words == text }) { return TransportError(kind) }
        return TransportError(.other, underlying: RecordedFailure(description: text))
    }
}
