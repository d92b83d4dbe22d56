/// A handler that can replace a failed request with another one.
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
    /// Returns whether the retrier handles a failure.
    ///
    /// It is called for every kind of failure except a cancellation and an expired total deadline.
    ///
    /// - Parameters:
    ///   - error: The failure, which may be that of a response that doesn't decode.
    ///   - request: The request that failed.
    /// - Returns: Whether to call ``handleError(_:for:on:)``.
    func canHandleError<R: Request>(_ error: ErrorResponse<R.ErrorType>, for request: R) -> Bool

    /// Returns the request to send instead, or nil for none.
    ///
    /// The method may wait, and the call can be canceled meanwhile. The total number of retries, by retriers and by the
    /// ``RetryPolicy``, is limited. The limit is the operation's retry count, or else that of the request's or the
    /// endpoint's policy.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - request: The request that failed.
    ///   - endpoint: The endpoint that sent the request.
    /// - Returns: The same request, a changed one, or nil.
    func handleError<R: Request>(
        _ error: ErrorResponse<R.ErrorType>,
        for request: R,
        on endpoint: Endpoint
    ) async -> R?
}

/// A registry of an endpoint's retriers.
///
/// Retriers are asked in the order of their registration, before the ``RetryPolicy`` applies. The registry retains them
/// until you unregister them.
public final class RequestRetryingManager: Sendable {
    private let retriers: Locked<[any RequestRetrier]>

    init(_ retriers: [any RequestRetrier] = []) {
        self.retriers = Locked(retriers)
    }

    /// Creates a registry with the same retriers.
    func copy() -> RequestRetryingManager { RequestRetryingManager(all) }

    /// Registers a retrier after the existing ones, unless it is registered already.
    ///
    /// - Parameter retrier: The retrier.
    public func registerRetrier(_ retrier: any RequestRetrier) {
        retriers.withLock { retriers in
            if !retriers.contains(where: { $0 === retrier }) { retriers.append(retrier) }
        }
    }

    /// Unregisters a retrier, or does nothing if it isn't registered.
    ///
    /// - Parameter retrier: The retrier.
    public func unregisterRetrier(_ retrier: any RequestRetrier) {
        retriers.withLock { retriers in retriers.removeAll { $0 === retrier } }
    }

    /// The registered retriers.
    var all: [any RequestRetrier] { retriers.withLock { $0 } }
}
