/// A pure value with the token, the waiting calls, and the refresh state.
///
/// Tests can therefore cover every order of events. Refreshes are numbered, and one runs at a time. A request records
/// the number of refreshes that ended before it was sent. If its token is rejected, the number shows whether a refresh
/// has ended since.
struct SingleRefresh<Waiter> {
    /// The next step of a caller.
    enum Step {
        /// Send with this token, or without one if nil.
        case send(BearerToken?)
        /// Wait for the refresh that is running.
        case wait
        /// Refresh this token, and report the result with ``SingleRefresh/finish(_:)``.
        case refresh(stale: BearerToken?)
        /// Fail, because the refresh that ran meanwhile failed.
        case fail(any Error)
    }

    private(set) var token: BearerToken?
    private(set) var isRefreshing = false
    private var waiters: [Waiter] = []
    /// The number of refreshes that ended.
    private(set) var epoch = 0
    /// The error of the last refresh, or nil if it succeeded.
    private var lastFailure: (any Error)?
    /// Whether the token was replaced from outside during the refresh that is running.
    private var isReplaced = false
    /// Whether a request waits for a token if there is none, rather than being sent without one.
    private let fetchesFirst: Bool

    init(_ token: BearerToken?, fetchesFirst: Bool = false) {
        self.token = token
        self.fetchesFirst = fetchesFirst
    }

    /// Whether calls wait without a running refresh, which must never happen.
    var isStuck: Bool { !isRefreshing && !waiters.isEmpty }

    /// Determines the step before sending a request.
    ///
    /// - Parameter isExpired: A closure that returns whether the token is known to be expired.
    /// - Returns: The next step.
    mutating func beforeSending(_ isExpired: (BearerToken) -> Bool) -> Step {
        if isRefreshing { return .wait }
        guard token.map(isExpired) ?? fetchesFirst else { return .send(token) }
        return startRefresh()
    }

    /// Determines the step after a request was rejected.
    ///
    /// - Parameters:
    ///   - used: The token that the request was sent with.
    ///   - epoch: The value of ``epoch`` at that time.
    /// - Returns: The next step.
    mutating func afterRefusal(of used: String?, at epoch: Int) -> Step {
        if isRefreshing { return .wait }
        // There is a newer token.
        if token?.value != used { return .send(token) }
        // The refresh that this request would have waited for failed.
        if epoch < self.epoch, let lastFailure { return .fail(lastFailure) }
        return startRefresh()
    }

    private mutating func startRefresh() -> Step {
        (isRefreshing, isReplaced) = (true, false)
        return .refresh(stale: token)
    }

    /// Adds a caller whose step is to wait or to refresh.
    mutating func add(_ waiter: Waiter) {
        waiters.append(waiter)
    }

    /// Ends the refresh.
    ///
    /// A failure keeps the token, because the refresh may be at fault rather than the token. A token that was set from
    /// outside since the start is kept too: it may belong to another user.
    ///
    /// - Parameters:
    ///   - result: The new token or the error.
    ///   - isStopped: Whether the refresh was ended from outside, which says nothing about the token. Defaults to false.
    /// - Returns: The waiting callers.
    mutating func finish(
        _ result: Result<BearerToken, any Error>,
        isStopped: Bool = false
    ) -> [Waiter] {
        isRefreshing = false
        epoch += 1
        switch result {
        case .success(let token):
            if !isReplaced { self.token = token }
            lastFailure = nil
        case .failure(let error):
            lastFailure = isReplaced || isStopped ? nil : error
        }
        defer { waiters = [] }
        return waiters
    }

    /// Replaces the token from outside.
    mutating func set(_ token: BearerToken?) {
        self.token = token
        lastFailure = nil
        isReplaced = isRefreshing
    }
}

/// The answer to a caller that asked for a token.
struct RefreshAnswer: Sendable {
    /// The token, nil for none, or the error of its refresh.
    let token: Result<BearerToken?, any Error>
    /// The number of refreshes that had ended.
    let epoch: Int
    /// Whether the caller waited for a refresh.
    let isFresh: Bool
}
