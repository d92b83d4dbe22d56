public import Foundation
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
    /// retry, a redirect or a rejected credential.
    ///
    /// Each request to the origin of `baseURL` carries the context of its exchange as the tracer injects it, for
    /// example W3C `traceparent` and `baggage`. One to another origin, after a redirect or by an absolute URL, loses these
    /// fields, even if you set them, unless an interceptor of scope `.exchange` behind this one does. Your baggage and your
    /// trace IDs are for your own services. Name those:
    ///
    /// ```swift
    /// endpoint.traceCalls(propagatingTo: { $0.host?.hasSuffix(".internal.example.com") == true })
    /// ```
    ///
    /// Both have the attributes `http.request.method`, `server.address`, `server.port`, `url.full` (without query
    /// values), `url.template` where the path has placeholders, `http.response.status_code` where a head arrived, even if
    /// its body failed, and, after a failure, `error.type`. Leaving a stream early isn't a failure. The address and port
    /// are those of a `Host` field where you override it. An exchange that isn't the first of its call
    /// has `http.request.resend_count`, and as far as the transport tells `network.protocol.version`,
    /// `network.peer.address` and `network.peer.port`. The span of a call has `netkit.request`, the request's `name`,
    /// and `netkit.cache` (`hit`, `revalidated` or `stale`) where a stored response was used. Its events are `redirect`,
    /// `authentication`, `retry`, `restart`, and `retry.refused` where a failure could have been retried, with the reason as
    /// `netkit.reason`: `notRepeatable`, `retryAfterTooLong`, `budgetExhausted` or `deadlineTooClose`.
    ///
    /// A method other than those of the conventions, or of the environment variable
    /// `OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS`, is `_OTHER`.
    ///
    /// Call this once, after the last assignment of `interceptors`. It adds two interceptors in front. Endpoints that are
    /// `derived(_:)` later record spans too. Decoding is not part of the span. A call that shares the transfer of an
    /// identical call has no span. Neither does a call without `interceptors`, such as one for a link to another origin.
    ///
    /// - Parameters:
    ///   - tracer: The tracer. Nil, the default, is `InstrumentationSystem.tracer` at the time of each call.
    ///   - isTarget: Returns whether a URL at another origin gets the context. Defaults to none.
    public func traceCalls(
        with tracer: (any Tracer)? = nil,
        propagatingTo isTarget: @escaping @Sendable (URL) -> Bool = { _ in false }
    ) {
        let source = TracerSource(tracer: tracer)
        interceptors =
            [
                CallTracing(source: source, baseURL: baseURL),
                ExchangeTracing(source: source, baseURL: baseURL, isTarget: isTarget),
            ] + interceptors
        let traces = CallTraces()
        observation.registerEvents { event in traces.note(event) }
    }
}
