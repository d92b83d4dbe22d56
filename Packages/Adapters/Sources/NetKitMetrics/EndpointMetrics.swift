public import CoreMetrics
public import NetKit

extension Endpoint {
    /// Reports each exchange to swift-metrics, by OpenTelemetry's names and units.
    ///
    /// | metric | kind | value |
    /// |---|---|---|
    /// | `http.client.request.duration` | `Timer`, preferred unit: seconds | from the endpoint's queue to the last byte of the response, the wait for a connection included |
    /// | `http.client.active_requests` | `Meter` | exchanges at this moment |
    /// | `http.client.request.body.size` | `Recorder` | bytes of the request's body as it is sent, where there is one |
    /// | `http.client.response.body.size` | `Recorder` | `Content-Length` of the response, else the bytes that were received into memory |
    ///
    /// A swift-metrics `Timer` takes nanoseconds and tells its backend the unit to show: Prometheus gets seconds. A
    /// download or stream without a `Content-Length` has no size.
    ///
    /// The dimensions are always the same: `http.request.method`, `server.address`, `server.port`, `url.template`,
    /// `http.response.status_code`, `error.type`, `network.protocol.version` and `netkit.request`, the request's `name`.
    /// They are empty where there is nothing to say. Active requests have the first three. `url.template` is the path with
    /// its placeholders, never a concrete path: a request without placeholders has none. The status code is there where a
    /// head arrived, even if its body failed. A reader who leaves a stream is no failure. The address and port are those of
    /// a `Host` field where you override it. A method other than those of the conventions, or of the environment variable
    /// `OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS`, is `_OTHER`.
    ///
    /// After 1,000 combinations, new ones have `server.address: _OTHER`, no port, template or name. After 1,000 of these,
    /// they have no status code or version either, and failures have `error.type: _OTHER`.
    ///
    /// Call this once, behind the last assignment of `interceptors`, to which it adds one at the end: it measures what
    /// the others send, and each time that they do. A request's own interceptors run inside of it. Endpoints that are
    /// `derived(_:)` later report too.
    ///
    /// - Parameter factory: The factory of the metrics, which are made once each. Defaults to that of the process; nil uses
    ///   `MetricsSystem.factory` as it is now.
    public func reportMetrics(to factory: (any MetricsFactory)? = nil) {
        let instruments = Instruments(factory ?? MetricsSystem.factory)
        interceptors.append(ExchangeMetrics(instruments: instruments, baseURL: baseURL))
    }
}
