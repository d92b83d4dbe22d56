import CoreMetrics
import Foundation
@_spi(Adapters) import NetKit
import NetKitConventions

/// Measures each exchange.
struct ExchangeMetrics: Interceptor {
    let instruments: Instruments
    let baseURL: URL

    var scope: InterceptorScope { .exchange }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        var labels = ExchangeLabels(
            RequestAttributes(request),
            URLTemplate.path(RequestContext.current.pathTemplate, below: baseURL),
            of: RequestContext.current.requestName
        )
        let active = instruments.active(labels.server)
        active.increment()
        var note = SendNote()
        var sizes: (request: Int64?, response: Int64?) = (request.body?.knownLength, nil)
        let start = ContinuousClock.now
        defer {
            active.decrement()
            labels.version = note.connection?.httpVersion ?? ""
            instruments.of(labels).record(lasting: start.duration(to: .now), sizes)
        }
        do {
            let response = try await next.send(request, notingIn: &note)
            sizes.response = response.bodySize(to: request.method)
            labels.status = "\(response.statusCode)"
            labels.errorType = ErrorType.of(response.status) ?? ""
            return response
        } catch {
            labels.status = note.status.map { "\($0.rawValue)" } ?? ""
            labels.errorType = ErrorType.of(error, noted: note) ?? ""
            throw error
        }
    }
}

extension BodySource {
    /// The number of bytes; nil for a sequence of unknown length.
    fileprivate var knownLength: Int64? {
        guard let sequence else { return length }
        return sequence.length
    }
}

extension HTTPResponse {
    /// The size of the body; nil without one, and for an unknown size.
    fileprivate func bodySize(to method: HTTPMethod) -> Int64? {
        // The field of a HEAD or a 304 speaks of another response (RFC 9110, section 8.6).
        if method != .head, status != .notModified,
            let length = headers[.contentLength].flatMap({ Int64($0) }), length >= 0
        {
            return length
        }
        return body.isEmpty ? nil : Int64(body.count)
    }
}
