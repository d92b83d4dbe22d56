/// Decides what to send in place of a request that failed.
///
/// ```swift
/// final class Upgrade: RequestRetrier {
///     func canHandleError<R: Request>(_ error: ErrorResponse<R.ErrorType>, for request: R) -> Bool {
///         error.statusCode == 426
///     }
///     func handleError<R: Request>(
///         _ error: ErrorResponse<R.ErrorType>, for request: R, on endpoint: Endpoint
///     ) async -> R? {
///         endpoint.headers["X-Version"] = "2"
///         return request
///     }
/// }
/// ```
public protocol RequestRetrier: AnyObject, Sendable {
    /// Whether this one knows what to do about a failure; asked of all kinds but a cancel and a total deadline that
    /// has passed.
    ///
    /// - Parameters:
    ///   - error: The failure, also of a response that does not decode.
    ///   - request: The request that failed.
    /// - Returns: Whether ``handleError(_:for:on:)`` is to be asked.
    func canHandleError<R: Request>(_ error: ErrorResponse<R.ErrorType>, for request: R) -> Bool

    /// The request to send instead, nil for none.
    ///
    /// It may wait; the call can be cancelled meanwhile. How often a call is tried again, by retriers and by
    /// the ``RetryPolicy`` together, is bounded by the operation's retry count, else by that of the request's or the
    /// endpoint's policy.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - request: The request that failed.
    ///   - endpoint: Where it was sent.
    /// - Returns: The same or a changed request.
    func handleError<R: Request>(
        _ error: ErrorResponse<R.ErrorType>,
        for request: R,
        on endpoint: Endpoint
    ) async -> R?
}

/// The retriers of an endpoint, asked in the order in which they were registered, before its ``RetryPolicy``.
///
/// It holds them until they are taken out.
public final class RequestRetryingManager: Sendable {
    private let retriers: Locked<[any RequestRetrier]>

    init(_ retriers: [any RequestRetrier] = []) {
        self.retriers = Locked(retriers)
    }

    /// A manager with the same retriers.
    func copy() -> RequestRetryingManager { RequestRetryingManager(all) }

    /// Adds a retrier behind those that are there; one that is there already stays where it is.
    ///
    /// - Parameter retrier: The retrier.
    public func registerRetrier(_ retrier: any RequestRetrier) {
        retriers.withLock { retriers in
            if !retriers.contains(where: { $0 === retrier }) { retriers.append(retrier) }
        }
    }

    /// Takes a retrier out; nothing if it is not there.
    ///
    /// - Parameter retrier: The retrier.
    public func unregisterRetrier(_ retrier: any RequestRetrier) {
        retriers.withLock { retriers in retriers.removeAll { $0 === retrier } }
    }

    /// Those that are there now.
    var all: [any RequestRetrier] { retriers.withLock { $0 } }
}
