import NetKit
import Tracing

/// The tracer of an endpoint: its own, or that of the process.
struct TracerSource: Sendable {
    /// Nil for that of the process.
    let tracer: (any Tracer)?

    /// Starts a span.
    func startSpan(_ name: String, _ kind: SpanKind) -> any Tracing.Span {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        return tracer.startSpan(name, context: ServiceContext.current ?? .topLevel, ofKind: kind)
    }

    /// Adds the fields of a context to a request, in the place of those that are there.
    func inject(_ context: ServiceContext, into headers: inout HTTPHeaders) {
        if let tracer {
            tracer.inject(context, into: &headers, using: FieldInjector())
        } else {
            InstrumentationSystem.instrument
                .inject(context, into: &headers, using: FieldInjector())
        }
    }

    /// Removes the fields of a context from a request, also those that it had before.
    func removeFields(of context: ServiceContext, from request: inout EncodedRequest) {
        var injected = HTTPHeaders()
        inject(context, into: &injected)
        let names: [HTTPHeaderName] =
            ["traceparent", "tracestate", "baggage"] + injected.map(\.name)
        // A request that isn't changed isn't validated again.
        for name in names where request.headers[name] != nil {
            request.headers[name] = nil
        }
    }
}

/// Sets header fields.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) {
        headers[HTTPHeaderName(key)] = value
    }
}
