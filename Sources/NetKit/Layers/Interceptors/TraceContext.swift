import NetKitSupport

/// An interceptor that sends `traceparent`, which joins client and server traces.
///
/// It follows W3C Trace Context, level 1. Each attempt is a separate span. A request that already has a `traceparent`
/// keeps it. A tracer, such as the adapter for swift-distributed-tracing, replaces the field in each exchange.
public struct TraceContext: Interceptor {
    private let parent: @Sendable () -> String?

    /// Creates the interceptor.
    ///
    /// - Parameter parent: A closure that returns the `traceparent` of the current task's trace, which each attempt
    ///   joins. Nil or an invalid value starts a new trace for each attempt. Defaults to a closure that returns nil.
    public init(parent: @escaping @Sendable () -> String? = { nil }) {
        self.parent = parent
    }

    public func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        guard request.headers["traceparent"] == nil else { return try await next(request) }
        var request = request
        request.headers["traceparent"] = TraceParent.child(of: parent())
        return try await next(request)
    }
}
