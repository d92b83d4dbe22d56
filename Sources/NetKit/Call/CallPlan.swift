import NetKitSupport

/// A request's settings for its call, read once and shared by all layers.
package final class CallPlan: Sendable {
    /// The destination of a successful response's body.
    ///
    /// Other bodies stay in memory.
    enum Destination: Sendable {
        case memory
        case file(DownloadPlan)
        case channel(StreamChannel)
    }

    /// The request's own idle timeout, or nil for the endpoint's.
    let timeout: Duration?
    /// The request's own retry policy, or nil for the endpoint's.
    let retryPolicy: RetryPolicy?
    /// The request's own interceptors, which run inside of the endpoint's.
    let interceptors: [any Interceptor]
    package let cachePolicy: CachePolicy
    package let priority: RequestPriority
    let context: RequestContext
    /// The request's type, whose name observers and interceptors ask for.
    let requestType: any Request.Type
    /// The status that the layers outside of the exchange see (``Request/status(of:)``).
    let status: @Sendable (HTTPResponse) -> HTTPStatus
    let destination: Destination
    /// Whether the request runs in the background, without a waiting caller.
    package let isBackground: Bool
    /// Counts bytes in order, or nil for a call without an operation.
    package let onTransfer: TransferWatch?
    /// Records an attempt that another one follows, or nil for a call without an operation.
    let onAttempt: (@Sendable (AttemptResult) -> Void)?

    init(
        _ request: some Request,
        to destination: Destination,
        interceptors: [any Interceptor],
        retryPolicy: RetryPolicy? = nil,
        cachePolicy: CachePolicy,
        onTransfer: TransferWatch?,
        onAttempt: (@Sendable (AttemptResult) -> Void)?
    ) {
        timeout = request.ownTimeout
        (self.retryPolicy, self.interceptors) = (retryPolicy, interceptors)
        self.cachePolicy = cachePolicy
        priority = request.priority
        context = request.context
        requestType = request.namedType
        status = { request.status(of: $0) }
        self.destination = destination
        isBackground = false
        self.onTransfer = onTransfer
        self.onAttempt = onAttempt
    }

    /// Creates the plan of a background request for a call.
    package init(inBackgroundOf plan: CallPlan) {
        timeout = plan.timeout
        retryPolicy = plan.retryPolicy
        interceptors = plan.interceptors
        cachePolicy = plan.cachePolicy
        priority = plan.priority
        context = plan.context
        requestType = plan.requestType
        status = plan.status
        destination = .memory
        isBackground = true
        onTransfer = nil
        onAttempt = nil
    }

    /// Whether the response is read while it arrives.
    package var isStream: Bool { if case .channel = destination { true } else { false } }

    /// Whether the response goes to a file.
    var isDownload: Bool { if case .file = destination { true } else { false } }

    /// Whether a reader already has the head, so that no other response can replace it.
    package var hasBegun: Bool {
        if case .channel(let channel) = destination { channel.hasBegun } else { false }
    }
}

/// Observes a running call, for the handlers of an operation.
protocol CallObserver: AnyObject, Sendable {
    /// Notifies the observer before the call is sent. Does nothing by default.
    ///
    /// The call waits for this method to return.
    func callWillStart(_ control: CallControl) async
    /// Whether a handler needs byte counts. Defaults to true.
    var isWatchingTransfers: Bool { get }
    /// Whether a handler may need the attempts. Defaults to false.
    var isWatchingAttempts: Bool { get }
    /// Notifies the observer of bytes sent or received.
    func callDidTransfer(_ count: TransferCount)
    /// Notifies the observer of an attempt that ended or a request that was refused. Does nothing by default.
    func callDidAttempt(_ info: DebugInfo)
}

extension CallObserver {
    func callWillStart(_ control: CallControl) async {}
    var isWatchingTransfers: Bool { true }
    var isWatchingAttempts: Bool { false }
    func callDidAttempt(_ info: DebugInfo) {}
}
