/// Who has which token, who waits for a new one, and who has to fetch it; a pure value, so that every
/// order of events is a test.
///
/// A refresh has a number. One runs at a time. A request remembers how many refreshes were over when it
/// was sent, so that one whose token is refused can tell whether a refresh has been tried since.
struct SingleRefresh<Waiter> {
    /// What one who asks does now.
    enum Step {
        /// Sends with this token, nil for none.
        case send(BearerToken?)
        /// Waits; somebody else fetches a token.
        case wait
        /// Fetches a new token in place of this one, and says so by ``SingleRefresh/finish(_:)``.
        case refresh(stale: BearerToken?)
        /// Fails: the refresh that ran in the meantime failed.
        case fail(any Error)
    }

    private(set) var token: BearerToken?
    private(set) var isRefreshing = false
    private var waiters: [Waiter] = []
    /// How many refreshes are over.
    private(set) var epoch = 0
    /// How the last one failed, nil if it did not.
    private var lastFailure: (any Error)?

    init(_ token: BearerToken?) {
        self.token = token
    }

    /// Whether anybody waits for a refresh that nobody runs: that must never be.
    var isStuck: Bool { !isRefreshing && !waiters.isEmpty }

    /// Somebody is about to send a request.
    ///
    /// - Parameter isExpired: Whether the token is known to be of no use any more.
    /// - Returns: What it does.
    mutating func beforeSending(_ isExpired: (BearerToken) -> Bool) -> Step {
        if isRefreshing { return .wait }
        guard let token, isExpired(token) else { return .send(token) }
        return startRefresh()
    }

    /// A request was refused.
    ///
    /// - Parameters:
    ///   - used: The token that it was sent with.
    ///   - epoch: ``epoch`` at that time.
    /// - Returns: What it does.
    mutating func afterRefusal(of used: String?, at epoch: Int) -> Step {
        if isRefreshing { return .wait }
        // There has been a newer one since.
        if token?.value != used { return .send(token) }
        // The refresh that this one would have waited for has failed.
        if epoch < self.epoch, let lastFailure { return .fail(lastFailure) }
        return startRefresh()
    }

    private mutating func startRefresh() -> Step {
        isRefreshing = true
        return .refresh(stale: token)
    }

    /// Adds somebody whose step is to wait, or to refresh.
    mutating func add(_ waiter: Waiter) {
        waiters.append(waiter)
    }

    /// The refresh is over.
    ///
    /// A failure leaves the token as it is: it may be the refresh that is wrong, and not the token.
    ///
    /// - Returns: Who waited for it.
    mutating func finish(_ result: Result<BearerToken, any Error>) -> [Waiter] {
        isRefreshing = false
        epoch += 1
        switch result {
        case .success(let token):
            self.token = token
            lastFailure = nil
        case .failure(let error):
            lastFailure = error
        }
        defer { waiters = [] }
        return waiters
    }

    /// Another token was set from outside.
    mutating func set(_ token: BearerToken?) {
        self.token = token
        lastFailure = nil
    }
}

/// What one who asked for a token gets.
struct RefreshAnswer: Sendable {
    /// The token, nil for none; or how its refresh failed.
    let token: Result<BearerToken?, any Error>
    /// How many refreshes were over.
    let epoch: Int
    /// Whether a refresh was waited for.
    let isFresh: Bool
}
