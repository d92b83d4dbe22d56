public import NetKit
public import Tracing

extension Endpoint {
    /// Records a span for each call and a child span for each exchange.
    ///
    /// Names and attributes follow OpenTelemetry's HTTP conventions. The span of an exchange is a client's, that of a call
    /// an internal one, as it has spans of clients within it.
    ///
    /// A call's span is a child of `ServiceContext.current` where the call was started. It lasts until the last byte of the
    /// response, retries and waits included. Each exchange on the wire has a child span, also that of a
    /// retry, a redirect or a rejected credential. Each request carries the context of its exchange as the tracer injects
    /// it, for example W3C `traceparent` and `baggage`.
    ///
    /// Both have the attributes `http.request.method`, `server.address`, `server.port`, `url.full` (without query
    /// values), `http.response.status_code` and, after a failure, `error.type`. An exchange that isn't the first of its call
    /// has `http.request.resend_count`, and as far as the transport tells `network.protocol.version`,
    /// `network.peer.address` and `network.peer.port`. The span of a call has `netkit.request`, the request's `name`,
    /// `url.template` where the path has placeholders, and `netkit.cache` (`hit`, `revalidated` or `stale`) where a stored response was used. Its events are `redirect`,
    /// `authentication`, `retry` and `restart`.
    ///
    /// Call this once, after the last assignment of `interceptors`. It adds two interceptors in front. Endpoints that are
    /// `derived(_:)` later record spans too. Decoding is not part of the span. A call that shares the transfer of an
    /// identical call has no span. Neither does a call without `interceptors`, such as one for a link to another origin.
    ///
    /// - Parameter tracer: The tracer. Nil, the default, is `InstrumentationSystem.tracer` at the time of each call.
    public func traceCalls(with tracer: (any Tracer)? = nil) {
        let source = TracerSource(tracer: tracer)
        interceptors =
            [CallTracing(source: source, baseURL: baseURL), ExchangeTracing(source: source)]
            + interceptors
        let traces = CallTraces()
        observation.registerEvents { event in traces.note(event) }
        observation.registerExchanges { $0.phases.connection.map(ExchangeTrace.note) }
    }
}
