import Foundation
import NetKit
import NetKitConventions
import Tracing

/// Records the span of a call.
struct CallTracing: Interceptor {
    let source: TracerSource
    let baseURL: URL

    var scope: InterceptorScope { .call }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let attributes = RequestAttributes(request)
        let template = URLTemplate.path(RequestContext.current.pathTemplate, below: baseURL)
        let span = source.startSpan(attributes.spanName(template), .internal)
        defer { span.end() }
        span.set(attributes)
        span.attributes["netkit.request"] = RequestContext.current.requestName
        if let template { span.attributes["url.template"] = template }
        return try await span.record {
            try await ServiceContext.withValue(span.context) {
                try await CallTrace.$current.withValue(CallTrace(span: span)) {
                    try await next(request)
                }
            }
        }
    }
}

/// Records the span of each exchange, and sends its context.
struct ExchangeTracing: Interceptor {
    let source: TracerSource

    var scope: InterceptorScope { .exchange }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let attributes = RequestAttributes(request)
        let resendCount = CallTrace.current?.nextExchange() ?? 0
        let span = source.startSpan(attributes.spanName(nil), .client)
        defer { span.end() }
        span.set(attributes)
        if resendCount > 0 { span.attributes["http.request.resend_count"] = resendCount }
        var traced = request
        source.inject(span.context, into: &traced.headers)
        return try await span.record { [traced] in
            try await ServiceContext.withValue(span.context) {
                try await ExchangeTrace.$span.withValue(span) { try await next(traced) }
            }
        }
    }
}

/// The span of the exchange that the current task works for.
enum ExchangeTrace {
    @TaskLocal static var span: (any Tracing.Span)?

    /// Sets what the transport knows of the connection.
    static func note(_ connection: ConnectionFacts) {
        span?
            .updateAttributes { attributes in
                if let version = connection.httpVersion {
                    attributes["network.protocol.version"] = version
                }
                guard let address = connection.remoteAddress,
                    let colon = address.lastIndex(of: ":"),
                    let port = Int(address[address.index(after: colon)...])
                else { return }
                attributes["network.peer.address"] = address[..<colon].filter { !"[]".contains($0) }
                attributes["network.peer.port"] = port
            }
    }
}

extension Tracing.Span {
    /// Sets what is known before the request is sent.
    fileprivate func set(_ request: RequestAttributes) {
        updateAttributes { attributes in
            attributes["http.request.method"] = request.method
            if let method = request.originalMethod {
                attributes["http.request.method_original"] = method
            }
            attributes["server.address"] = request.address
            attributes["server.port"] = request.port
            attributes["url.full"] = request.url
        }
    }

    /// Sets how it ended: the status code, or the type of the error.
    fileprivate func record(
        _ body: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            let response = try await body()
            attributes["http.response.status_code"] = response.statusCode
            if let type = ErrorType.of(response.status) { fail(type) }
            return response
        } catch {
            fail(ErrorType.of(error))
            throw error
        }
    }

    private func fail(_ type: String) {
        attributes["error.type"] = type
        setStatus(SpanStatus(code: .error))
    }
}
