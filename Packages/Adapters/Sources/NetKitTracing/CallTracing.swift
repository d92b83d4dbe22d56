import Foundation
@_spi(Adapters) import NetKit
import NetKitConventions
import Tracing

/// Records the span of a call.
struct CallTracing: Interceptor {
    let source: TracerSource
    let baseURL: URL

    var scope: InterceptorScope { .call }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let span = source.startSpan(.internal, of: RequestAttributes(request), below: baseURL)
        defer { span.end() }
        span.attributes["netkit.request"] = RequestContext.current.requestName
        return try await span.record { note in
            try await ServiceContext.withValue(span.context) {
                try await CallTrace.$current.withValue(CallTrace(span: span)) {
                    try await next.send(request, notingIn: &note)
                }
            }
        }
    }
}

/// Records the span of each exchange, and sends its context.
struct ExchangeTracing: Interceptor {
    let source: TracerSource
    let baseURL: URL
    /// Whether other origins get the context, too.
    let isTarget: @Sendable (URL) -> Bool

    var scope: InterceptorScope { .exchange }

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        let resendCount = CallTrace.current?.nextExchange() ?? 0
        let span = source.startSpan(.client, of: RequestAttributes(request), below: baseURL)
        defer { span.end() }
        if resendCount > 0 { span.attributes["http.request.resend_count"] = resendCount }
        var traced = request
        if URLOrigin(request.url) == URLOrigin(baseURL) || isTarget(request.url) {
            source.inject(span.context, into: &traced.headers)
        } else {
            source.removeFields(of: span.context, from: &traced)
        }
        return try await span.record { [traced] note in
            defer { note.connection.map { span.set($0) } }
            return try await ServiceContext.withValue(span.context) {
                try await next.send(traced, notingIn: &note)
            }
        }
    }
}

extension TracerSource {
    /// Starts a span with what is known before the request is sent.
    fileprivate func startSpan(
        _ kind: SpanKind,
        of request: RequestAttributes,
        below baseURL: URL
    ) -> any Tracing.Span {
        let template = URLTemplate.path(RequestContext.current.pathTemplate, below: baseURL)
        let span = startSpan(request.spanName(template), kind)
        span.updateAttributes { attributes in
            attributes["http.request.method"] = request.method
            if let method = request.originalMethod {
                attributes["http.request.method_original"] = method
            }
            attributes["server.address"] = request.address
            attributes["server.port"] = request.port
            attributes["url.full"] = request.url
            if let template { attributes["url.template"] = template }
        }
        return span
    }
}

extension Tracing.Span {
    /// Sets what the transport knows of the connection.
    fileprivate func set(_ connection: ConnectionFacts) {
        updateAttributes { attributes in
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

    /// Sets how it ended: the status code, also of a response whose body failed, and the type of the error.
    fileprivate func record(
        _ body: (inout SendNote) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var note = SendNote()
        do {
            let response = try await body(&note)
            attributes["http.response.status_code"] = response.statusCode
            if let type = ErrorType.of(response.status) { fail(type) }
            return response
        } catch {
            if let status = note.status {
                attributes["http.response.status_code"] = status.rawValue
            }
            if let type = ErrorType.of(error, noted: note) { fail(type) }
            throw error
        }
    }

    private func fail(_ type: String) {
        attributes["error.type"] = type
        setStatus(SpanStatus(code: .error))
    }
}
