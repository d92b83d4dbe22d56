public import Foundation
package import NetKitSupport

/// A bearer token (RFC 6750) that is refreshed when it is rejected or expires.
///
/// - One refresh runs at a time, and all calls that need it wait for it.
/// - A call rejected with an older token is resent with the current one, without a refresh.
/// - Canceling a call doesn't cancel the refresh. ``Endpoint/cancelAllRequests()`` of the call's endpoint, and the deadline
///   of its shutdown, cancel the requests of the refresh. Waiting calls of other endpoints then refresh anew.
/// - If the refresh fails, each waiting call fails once with its error. An error with a response, or a custom one, is
///   an ``ErrorResponse/interceptor(_:)``. A `CancellationError` is `.cancelled`. A call's other errors keep their case,
///   such as `.transport` or `.timeout`. The token stays, and a later call tries to refresh it anew.
/// - If the server also rejects the new token, the call ends with that response.
///
/// The refresh can use the same endpoint: its requests are sent without a token and don't wait for the refresh. In the
/// closure, use the endpoint that ``init(token:refreshingOn:refreshing:)`` passes. A closure that captures the endpoint
/// it authenticates keeps that endpoint alive forever. Several endpoints can share one object.
public final class BearerAuthentication: Authentication {
    private typealias State = SingleRefresh<CheckedContinuation<RefreshAnswer, Never>>

    /// The endpoint of the call that needs a token.
    @TaskLocal static var asking: Endpoint?

    /// The identity of the user, replaced when the user may have changed.
    private let id = Locked(ProcessUniqueID())
    /// The refresh, which calls wait for.
    private let work: SharedWork
    private let state: Locked<State>
    private let statuses: Set<HTTPStatus>
    private let leeway: Duration
    /// The leeway for tokens that are fetched before use.
    package static let fetchLeeway = Duration.seconds(30)
    private let fetch:
        @Sendable (_ stale: String?, _ endpoint: Endpoint?) async throws -> BearerToken

    /// Creates an authentication with a token of unknown lifetime.
    ///
    /// ```swift
    /// endpoint.authentication = BearerAuthentication(token: token) { stale, endpoint in
    ///     try await endpoint.value(for: RefreshRequest()).access
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The token. If nil, requests have no token until the server rejects the first.
    ///   - statuses: The status codes that mean that the token is invalid. Defaults to 401.
    ///   - refresh: A closure that receives the rejected token, or nil if there was none, and returns a new one. At
    ///     most one refresh runs at a time. Its endpoint shares the transport, connections, and limits of the call's
    ///     endpoint, but has no authentication. Its calls never wait for the refresh. The closure must end: all calls wait
    ///     for it, within their own limits.
    public convenience init(
        token: String?,
        refreshingOn statuses: Set<HTTPStatus> = [401],
        refreshing refresh:
            @escaping @Sendable (_ stale: String?, _ endpoint: Endpoint) async throws -> String
    ) {
        self.init(initial: token.map { BearerToken($0) }, refreshingOn: statuses) {
            BearerToken(try await refresh($0, $1))
        }
    }

    /// Creates an authentication that also refreshes the token shortly before it expires.
    ///
    /// - Parameters:
    ///   - token: The token, or nil for none.
    ///   - statuses: The status codes that mean that the token is invalid. Defaults to 401.
    ///   - leeway: The time before its expiration when a token counts as expired. Defaults to 30 seconds.
    ///   - refresh: A closure that receives the rejected or expiring token and returns a new one. For its endpoint, see
    ///     ``init(token:refreshingOn:refreshing:)``.
    public convenience init(
        initial token: BearerToken?,
        refreshingOn statuses: Set<HTTPStatus> = [401],
        leeway: Duration = .seconds(30),
        refreshing refresh:
            @escaping @Sendable (_ stale: String?, _ endpoint: Endpoint) async throws -> BearerToken
    ) {
        self.init(initial: token, refreshingOn: statuses, leeway: leeway, fetchesFirst: false) {
            // There is no endpoint if the caller sends requests by other means.
            guard let endpoint = $1 else { throw InvalidRequest(.missingEndpoint) }
            return try await refresh($0, endpoint)
        }
    }

    /// Creates an authentication with a refresh that doesn't use an endpoint.
    ///
    /// The lifetime of the token is unknown.
    ///
    /// - Parameters:
    ///   - token: The token. If nil, requests have no token until the server rejects the first.
    ///   - statuses: The status codes that mean that the token is invalid. Defaults to 401.
    ///   - refresh: A closure that receives the rejected token, or nil if there was none, and returns a new one. At
    ///     most one refresh runs at a time. To send requests in it, use ``init(token:refreshingOn:refreshing:)``.
    public convenience init(
        token: String?,
        refreshingOn statuses: Set<HTTPStatus> = [401],
        refresh: @escaping @Sendable (_ stale: String?) async throws -> String
    ) {
        self.init(
            initial: token.map { BearerToken($0) },
            refreshingOn: statuses,
            leeway: .zero,
            fetchesFirst: false
        ) { stale, _ in
            BearerToken(try await refresh(stale))
        }
    }

    /// Creates an authentication that gets its first token before the first request.
    ///
    /// The refresh is the work that is passed, which several authentications can share.
    package convenience init(
        fetchingBeforeUse statuses: Set<HTTPStatus>,
        in work: SharedWork,
        _ fetch: @escaping @Sendable (_ endpoint: Endpoint) async throws -> BearerToken
    ) {
        self.init(
            initial: nil,
            refreshingOn: statuses,
            leeway: Self.fetchLeeway,
            fetchesFirst: true,
            work: work
        ) { _, endpoint in
            guard let endpoint else { throw InvalidRequest(.missingEndpoint) }
            return try await fetch(endpoint)
        }
    }

    init(
        initial token: BearerToken?,
        refreshingOn statuses: Set<HTTPStatus>,
        leeway: Duration,
        fetchesFirst: Bool,
        work: SharedWork = SharedWork(isRefresh: true),
        _ refresh:
            @escaping @Sendable (_ stale: String?, _ endpoint: Endpoint?) async throws ->
            BearerToken
    ) {
        state = Locked(State(token, fetchesFirst: fetchesFirst))
        (self.work, self.statuses, self.leeway) = (work, statuses, leeway)
        fetch = refresh
    }

    /// The current token.
    public var token: String? { state.withLock { $0.token?.value } }

    /// Whether a refresh is running.
    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// The number of calls that wait for the refresh that is running, with the one that started it.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Sets the token, for example after signing in or out.
    ///
    /// A different token may belong to another user. Responses cached for the earlier token are no longer used. A refresh
    /// that is running neither replaces the token nor fails the calls that wait for it.
    ///
    /// - Parameter token: The token, or nil for none.
    public func setToken(_ token: BearerToken?) {
        let isByRefresh = work.isCurrent
        let (isOther, failure) = state.withLock { state in
            defer { state.set(token, byRefresh: isByRefresh) }
            return (state.token?.value != token?.value, state.lastFailure)
        }
        // Released outside of the lock: an error may use the authentication as it is released.
        withExtendedLifetime(failure) {}
        // Last: a response for the new token must not be cached for the earlier one's successor.
        if isOther { id.withLock { $0 = ProcessUniqueID() } }
    }

    public func authenticate(_ request: inout EncodedRequest) async throws {
        guard !work.isCurrent else { return }
        let answer = await ask { $0.beforeSending(isExpired) }
        request.authenticationEpoch = answer.epoch
        guard let token = try answer.token.get() else { return }
        request.headers[.authorization] = "Bearer \(token.value)"
    }

    public func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery {
        guard statuses.contains(response.status), !work.isCurrent else { return .none }
        let used = request.headers[.authorization].flatMap { Self.token(in: $0) }
        let epoch = request.authenticationEpoch
        let answer = await ask { $0.afterRefusal(of: used, at: epoch) }
        guard let token = try answer.token.get(), token.sent != used else { return .none }
        return answer.isFresh ? .refreshed : .newerCredential
    }

    /// Determines the next step, and waits for a refresh if necessary.
    ///
    /// A request that the refresh waits for, through the refresh of another authentication, is sent without a token.
    private func ask(_ question: (inout State) -> State.Step) async -> RefreshAnswer {
        guard let waiting = work.beginWait() else {
            let epoch = state.withLock { $0.epoch }
            return RefreshAnswer(token: .success(nil), epoch: epoch)
        }
        defer { waiting.end() }
        var mayRefreshAgain = true
        while true {
            let (answer, isStarter) = await askOnce(question)
            // The token was set meanwhile, or only the endpoint whose call started the refresh was stopped.
            guard (answer.isOutdated && mayRefreshAgain) || (!isStarter && answer.isStopped),
                !Task.isCancelled
            else { return answer }
            // A refresh that sets the token itself, in another task, would be repeated without an end.
            if isStarter { mayRefreshAgain = false }
        }
    }

    private func askOnce(
        _ question: (inout State) -> State.Step
    ) async -> (answer: RefreshAnswer, isStarter: Bool) {
        var isStarter = false
        let answer = await withCheckedContinuation { continuation in
            let (step, epoch) = state.withLock { state in
                let step = question(&state)
                switch step {
                case .wait, .refresh: state.add(continuation)
                case .answer: break
                }
                return (step, state.epoch)
            }
            switch step {
            case .answer(let token):
                continuation.resume(returning: RefreshAnswer(token: token, epoch: epoch))
            case .refresh(let stale):
                isStarter = true
                startRefresh(stale)
            case .wait: break
            }
        }
        return (answer, isStarter)
    }

    /// Starts the refresh in a task that no call can cancel, because many calls may wait for it.
    ///
    /// The task has the task-local values of the call that starts it, such as the context of a trace.
    private func startRefresh(_ stale: BearerToken?) {
        let endpoint = Self.asking.map { Endpoint(like: $0) { $0.authentication = nil } }
        Task {
            let result: Result<BearerToken, any Error>
            let lastStop = endpoint?.lastStop ?? 0
            var isStopped = false
            do {
                let token = try await self.work.run {
                    try await self.fetch(stale?.value, endpoint)
                }
                // Otherwise, each call with it would fail before the server could refuse it.
                guard token.value.isFieldValue else {
                    let name = HTTPHeaderName.authorization.rawName
                    throw InvalidRequest(
                        .invalidHeader(name: name),
                        FieldProblem.of(name, token.value)
                    )
                }
                result = .success(token)
            } catch {
                result = .failure(CallFailure.ofRefresh(error))
                let isCancelled = (endpoint?.lastStop ?? 0) > lastStop
                isStopped = CallFailure.isStop(error, whenCancelled: isCancelled)
            }
            let (end, isOther, failure, token, epoch) = self.state.withLock { state in
                let (earlier, failure) = (state.token, state.lastFailure)
                let end = state.finish(result, isStopped: isStopped)
                return (end, state.isOfAnother(than: earlier), failure, state.token, state.epoch)
            }
            // Released outside of the lock, as in `setToken(_:)`.
            withExtendedLifetime(failure) {}
            // Last, as in `setToken(_:)`, but before the waiting calls continue.
            if isOther { self.id.withLock { $0 = ProcessUniqueID() } }
            let answer = RefreshAnswer(
                token: result.map { _ in token },
                epoch: epoch,
                isFresh: true,
                isOutdated: end.asksAgain,
                isStopped: isStopped
            )
            for waiter in end.waiters { waiter.resume(returning: answer) }
        }
    }

    private func isExpired(_ token: BearerToken) -> Bool {
        guard let expires = token.expires else { return false }
        let now = Self.asking?.clock.date ?? Date()
        return expires.timeIntervalSince(now) <= TimeInterval(leeway.clampedNanoseconds) / 1e9
    }

    /// Returns the ``BearerToken/sent`` token of a field, empty for `Bearer` alone, or nil for another scheme.
    private static func token(in authorization: String) -> String? {
        let scheme = authorization.prefix { $0 != " " }
        guard scheme.lowercased() == "bearer" else { return nil }
        return String(authorization[scheme.endIndex...]).trimmedOfBlanks
    }
}

extension BearerAuthentication: IdentifiedAuthentication {
    package var identity: CredentialIdentity { .id(id.withLock { $0 }) }
}

/// A bearer token (RFC 6750) with its expiration date.
public struct BearerToken: Hashable, Sendable {
    /// The expiration date, or nil if unknown.
    public let expires: Date?
    /// The sign-in that led to the token, or nil if its source doesn't know.
    ///
    /// Another one may be another user's.
    package let signIn: ProcessUniqueID?
    // Redacts itself when a token is printed.
    private let token: AuthToken

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token.
    ///   - expires: The expiration date. Defaults to nil for unknown.
    public init(_ value: String, expires: Date? = nil) {
        self.init(value, expires: expires, signIn: nil)
    }

    /// Creates a token of a sign-in.
    package init(_ value: String, expires: Date?, signIn: ProcessUniqueID?) {
        token = .bearer(value)
        self.expires = expires
        self.signIn = signIn
    }

    /// The token.
    public var value: String {
        if case .bearer(let value) = token { value } else { "" }
    }

    /// The token as a server receives it, without the blanks around it.
    var sent: String { value.trimmedOfBlanks }
}

/// A pure value with the token, the waiting calls, and the refresh state.
///
/// Tests can therefore cover every order of events. Refreshes are numbered, and one runs at a time. A request records
/// the number of refreshes that ended before it was sent. If its token is rejected, the number shows whether a refresh
/// has ended since.
struct SingleRefresh<Waiter> {
    /// The next step of a caller.
    enum Step {
        /// Send with this token, or without one if nil. Fail if the refresh that ran meanwhile did.
        case answer(Result<BearerToken?, any Error>)
        /// Wait for the refresh that is running.
        case wait
        /// Refresh this token, and report the result with ``SingleRefresh/finish(_:)``.
        case refresh(stale: BearerToken?)
    }

    private(set) var token: BearerToken?
    private(set) var isRefreshing = false
    private var waiters: [Waiter] = []
    /// The number of refreshes that ended.
    private(set) var epoch = 0
    /// The error of the last refresh, or nil if it succeeded.
    private(set) var lastFailure: (any Error)?
    /// Whether the token was replaced during the refresh that is running, and whether not by the refresh itself.
    private var (isReplaced, isReplacedFromOutside) = (false, false)
    /// Whether a request waits for a token if there is none, rather than being sent without one.
    private let fetchesFirst: Bool

    init(_ token: BearerToken?, fetchesFirst: Bool = false) {
        self.token = token
        self.fetchesFirst = fetchesFirst
    }

    /// The number of calls that wait for the refresh that is running, with the one that started it.
    var waiterCount: Int { waiters.count }

    /// Determines the step before sending a request.
    ///
    /// - Parameter isExpired: A closure that returns whether the token is known to be expired.
    /// - Returns: The next step.
    mutating func beforeSending(_ isExpired: (BearerToken) -> Bool) -> Step {
        if isRefreshing { return .wait }
        guard token.map(isExpired) ?? fetchesFirst else { return .answer(.success(token)) }
        return startRefresh()
    }

    /// Determines the step after a request was rejected.
    ///
    /// - Parameters:
    ///   - used: The ``BearerToken/sent`` token that the request was sent with.
    ///   - epoch: The value of ``epoch`` at that time.
    /// - Returns: The next step.
    mutating func afterRefusal(of used: String?, at epoch: Int) -> Step {
        if isRefreshing { return .wait }
        // There is a newer token.
        if token?.sent != used { return .answer(.success(token)) }
        // The refresh that this request would have waited for failed.
        if epoch < self.epoch, let lastFailure { return .answer(.failure(lastFailure)) }
        return startRefresh()
    }

    private mutating func startRefresh() -> Step {
        (isRefreshing, isReplaced, isReplacedFromOutside) = (true, false, false)
        return .refresh(stale: token)
    }

    /// Adds a caller whose step is to wait or to refresh.
    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    /// Ends the refresh.
    ///
    /// A failure keeps the token, because the refresh may be at fault rather than the token. A token that was set from
    /// outside since the start is kept too: it may belong to another user.
    ///
    /// - Parameters:
    ///   - result: The new token or the error.
    ///   - isStopped: Whether the refresh was ended from outside, which says nothing about the token. Defaults to false.
    /// - Returns: The waiting callers, and whether they ask again: another token was set from outside.
    mutating func finish(
        _ result: Result<BearerToken, any Error>,
        isStopped: Bool = false
    ) -> (waiters: [Waiter], asksAgain: Bool) {
        isRefreshing = false
        epoch += 1
        defer { waiters = [] }
        switch result {
        case .success(let token):
            if !isReplaced { self.token = token }
            lastFailure = nil
            return (waiters, isReplacedFromOutside && self.token == nil && fetchesFirst)
        case .failure(let error):
            lastFailure = isReplacedFromOutside || isStopped ? nil : error
            return (waiters, isReplacedFromOutside)
        }
    }

    /// Returns whether the user may have changed since an earlier token; nil stands for none.
    func isOfAnother(than earlier: BearerToken?) -> Bool {
        // Without a token, requests were sent as a guest's.
        guard let earlier else { return token != nil && !fetchesFirst }
        return earlier.signIn != token?.signIn
    }

    /// Replaces the token.
    ///
    /// - Parameters:
    ///   - token: The token, or nil for none.
    ///   - isByRefresh: Whether the refresh that is running sets it, whose result still counts. Defaults to false.
    mutating func set(_ token: BearerToken?, byRefresh isByRefresh: Bool = false) {
        self.token = token
        lastFailure = nil
        isReplaced = isRefreshing
        if isRefreshing, !isByRefresh { isReplacedFromOutside = true }
    }
}

/// The answer to a caller that asked for a token.
struct RefreshAnswer: Sendable {
    /// The token, nil for none, or the error of its refresh.
    let token: Result<BearerToken?, any Error>
    /// The number of refreshes that had ended.
    let epoch: Int
    /// Whether the caller waited for a refresh.
    var isFresh = false
    /// Whether the token was set meanwhile, so that the answer doesn't apply to it.
    var isOutdated = false
    /// Whether the refresh was ended with all calls of the endpoint that started it.
    var isStopped = false
}
