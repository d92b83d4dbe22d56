import Foundation
import Tracing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The tracer of an endpoint: its own, or that of the process.
struct TracerSource: Sendable {
    /// Nil for that of the process.
    let tracer: (any Tracer)?

    /// Starts the span of a client.
    func startSpan(_ name: String) -> any Tracing.Span {
        let tracer = self.tracer ?? InstrumentationSystem.tracer
        return tracer.startSpan(name, context: ServiceContext.current ?? .topLevel, ofKind: .client)
    }

    /// Adds the fields of a context to a request, in the place of those that are there.
    func inject(_ context: ServiceContext, into request: inout URLRequest) {
        if let tracer {
            tracer.inject(context, into: &request, using: FieldInjector())
        } else {
            InstrumentationSystem.instrument
                .inject(context, into: &request, using: FieldInjector())
        }
    }
}

/// Sets header fields of a request.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into request: inout URLRequest) {
        request.setValue(value, forHTTPHeaderField: key)
    }
}
