import CoreMetrics
import Foundation
import NetKit
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
        let sizes = ExchangeSizes()
        let start = ContinuousClock.now
        defer {
            active.decrement()
            instruments.of(labels).record(lasting: start.duration(to: .now), sizes.known)
        }
        do {
            let response = try await ExchangeSizes.$current.withValue(sizes) {
                try await next(request)
            }
            labels.status = "\(response.statusCode)"
            labels.errorType = ErrorType.of(response.status) ?? ""
            return response
        } catch {
            labels.errorType = ErrorType.of(error)
            throw error
        }
    }
}

/// The sizes of the bodies of the exchange that the current task works for.
struct ExchangeSizes: Sendable {
    @TaskLocal static var current: ExchangeSizes?

    private let sizes = Guarded<(request: Int64?, response: Int64?)>((nil, nil))

    /// What is known; nil for no body and an unknown size.
    var known: (request: Int64?, response: Int64?) { sizes.withLock { $0 } }

    func note(_ exchange: ObservedExchange) {
        let request = exchange.request.body?.length
        let response = exchange.response.flatMap { response -> Int64? in
            // The field of a HEAD or a 304 speaks of another response (RFC 9110, section 8.6).
            if exchange.request.method != .head, response.status != .notModified,
                let length = response.headers[.contentLength].flatMap({ Int64($0) }), length >= 0
            {
                return length
            }
            return response.body.isEmpty ? nil : Int64(response.body.count)
        }
        sizes.withLock { $0 = (request, response) }
    }
}
