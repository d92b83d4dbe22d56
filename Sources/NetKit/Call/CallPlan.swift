/// The settings of a request for its call, which are not sent: read once, shared by all layers.
final class CallPlan: Sendable {
    /// Where the body of a successful response goes.
    ///
    /// Other bodies go to memory.
    enum Destination: Sendable {
        case memory
        case file(DownloadPlan)
        case channel(StreamChannel)
    }

    /// What a retrier sends instead of a failed attempt.
    enum Replacement: Sendable {
        case none
        case request(EncodedRequest, CallPlan)
        case failure(CallFailure)
    }

    /// The request's own idle timeout; nil for the endpoint's.
    let timeout: Duration?
    /// The request's own retry policy; nil for the endpoint's.
    let retryPolicy: RetryPolicy?
    /// The request's own interceptors, which run within those of the endpoint.
    let interceptors: [any Interceptor]
    let cachePolicy: CachePolicy
    let priority: RequestPriority
    let context: RequestContext
    let destination: Destination
    /// Whether no caller waits for the response.
    let isBackground: Bool
    /// Counts bytes, in order; nil for a call without an operation.
    let onTransfer: TransferWatch?
    /// Notes an attempt that another one follows; nil for a call without an operation.
    let onAttempt: (@Sendable (AttemptResult) -> Void)?
    /// Asks the retriers; nil without any.
    let replacement: (@Sendable (AttemptResult, CallControl) async -> Replacement)?

    init(
        _ request: some Request,
        to destination: Destination,
        interceptors: [any Interceptor],
        cachePolicy: CachePolicy,
        onTransfer: TransferWatch?,
        onAttempt: (@Sendable (AttemptResult) -> Void)?,
        replacement: (@Sendable (AttemptResult, CallControl) async -> Replacement)?
    ) {
        timeout = request.timeout.map { Duration(timeout: $0) }
        retryPolicy = request.retryPolicy
        self.interceptors = interceptors
        self.cachePolicy = cachePolicy
        priority = request.priority
        context = request.context
        self.destination = destination
        isBackground = false
        self.onTransfer = onTransfer
        self.onAttempt = onAttempt
        self.replacement = replacement
    }

    /// Creates the plan of a request in the background of a call.
    init(inBackgroundOf plan: CallPlan) {
        timeout = plan.timeout
        retryPolicy = plan.retryPolicy
        interceptors = plan.interceptors
        cachePolicy = plan.cachePolicy
        priority = plan.priority
        context = plan.context
        destination = .memory
        isBackground = true
        onTransfer = nil
        onAttempt = nil
        replacement = nil
    }

    /// Whether the response is read while it arrives.
    var isStream: Bool { if case .channel = destination { true } else { false } }

    /// Whether the response goes to a file.
    var isDownload: Bool { if case .file = destination { true } else { false } }

    /// Whether a reader has the head already, so that no other response can take its place.
    var hasBegun: Bool {
        if case .channel(let channel) = destination { channel.hasBegun } else { false }
    }
}
