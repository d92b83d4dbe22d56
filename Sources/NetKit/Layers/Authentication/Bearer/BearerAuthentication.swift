import Foundation

/// Authenticates with a bearer token (RFC 6750), and fetches a new one when it is refused or ends.
///
/// However many calls find out that the token is of no use, one refresh runs at a time, and they all wait for
/// it. A call that was sent with an older token than there is now goes again with the newer one without a
/// refresh. The refresh runs to its end whoever is cancelled. If it fails, the calls that waited for it fail with
/// its error, each once, as ``ErrorResponse/interceptor(_:)``; the token stays, and a later call tries again. A call
/// whose new token is refused as well is that response: there is no loop.
///
/// The refresh may use the same endpoint: its own requests are sent without a token and do not wait for it. Use the
/// endpoint that ``init(token:refreshingOn:refreshing:)`` gives to the closure. A closure that captures the endpoint
/// which it authenticates keeps that endpoint alive for ever. One object may be shared by several endpoints.
public final class BearerAuthentication: Authentication {
    private typealias State = SingleRefresh<CheckedContinuation<RefreshAnswer, Never>>

    /// The refreshes that the current task works for, so that they do not wait for themselves.
    @TaskLocal static var refreshing: Set<ObjectIdentifier> = []
    /// The endpoint whose call asks for a token.
    @TaskLocal static var asking: Endpoint?

    /// Another one for another user.
    private let id = Locked(ProcessUniqueID())
    private let state: Locked<State>
    private let statuses: Set<HTTPStatus>
    private let leeway: Duration
    private let now: @Sendable () -> Date
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
    ///   - token: The token. Without one, requests carry no token until the server rejects the first.
    ///   - statuses: The status codes that mean that the token is invalid. Defaults to 401.
    ///   - refresh: Gets the rejected token, nil if there was none, and returns a fresh one. At most one refresh
    ///     runs at a time. Its endpoint is like the one whose call started the refresh: it shares transport,
    ///     connections and limits, and has no authentication. Calls on it never wait for the refresh.
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
    ///   - token: The token.
    ///   - statuses: The status codes that mean that the token is invalid. Defaults to 401.
    ///   - leeway: How long before its expiry a token counts as expired. Defaults to 30 seconds.
    ///   - refresh: Gets the rejected or expiring token and returns a fresh one. Its endpoint is that of
    ///     ``init(token:refreshingOn:refreshing:)``.
    public convenience init(
        initial token: BearerToken?,
        refreshingOn statuses: Set<HTTPStatus> = [401],
        leeway: Duration = .seconds(30),
        refreshing refresh:
            @escaping @Sendable (_ stale: String?, _ endpoint: Endpoint) async throws -> BearerToken
    ) {
        self.init(
            initial: token,
            refreshingOn: statuses,
            leeway: leeway,
            now: { BearerAuthentication.asking?.clock.date ?? Date() }
        ) {
            // Without an endpoint somebody asks who sends the requests by other means.
            guard let endpoint = $1 else { throw InvalidRequest(.missingEndpoint) }
            return try await refresh($0, endpoint)
        }
    }

    /// Makes an authentication with a token whose end is not known.
    ///
    /// - Parameters:
    ///   - token: The token. Without one, requests are sent without until the first is refused.
    ///   - statuses: The statuses that mean that the token is of no use. Defaults to 401.
    ///   - refresh: Gets the token that was refused, nil if there was none, and returns a fresh one. At most
    ///     one refresh runs at a time. To send requests, use ``init(token:refreshingOn:refreshing:)``.
    public convenience init(
        token: String?,
        refreshingOn statuses: Set<HTTPStatus> = [401],
        refresh: @escaping @Sendable (_ stale: String?) async throws -> String
    ) {
        self.init(
            initial: token.map { BearerToken($0) },
            refreshingOn: statuses,
            leeway: .zero,
            now: { BearerAuthentication.asking?.clock.date ?? Date() }
        ) { stale, _ in
            BearerToken(try await refresh(stale))
        }
    }

    init(
        initial token: BearerToken?,
        refreshingOn statuses: Set<HTTPStatus>,
        leeway: Duration,
        now: @escaping @Sendable () -> Date,
        _ refresh:
            @escaping @Sendable (_ stale: String?, _ endpoint: Endpoint?) async throws ->
            BearerToken
    ) {
        state = Locked(State(token))
        self.statuses = statuses
        self.leeway = leeway
        self.now = now
        fetch = refresh
    }

    /// The token as it is now.
    public var token: String? { state.withLock { $0.token?.value } }

    /// Whether a new token is being fetched.
    var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// Sets the token, as after signing in or out.
    ///
    /// Another token may be another user's: responses that are stored for the last one are not used from then on.
    ///
    /// - Parameter token: The token, nil for none.
    public func setToken(_ token: BearerToken?) {
        if token?.value != self.token { id.withLock { $0 = ProcessUniqueID() } }
        state.withLock { $0.set(token) }
    }

    public func authenticate(_ request: inout EncodedRequest) async throws {
        guard !Self.refreshing.contains(ObjectIdentifier(self)) else { return }
        let answer = await ask { $0.beforeSending(isExpired) }
        guard let token = try answer.token.get() else { return }
        request.headers[.authorization] = "Bearer \(token.value)"
        request.authenticationEpoch = answer.epoch
    }

    public func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery {
        guard statuses.contains(response.status),
            !Self.refreshing.contains(ObjectIdentifier(self))
        else { return .none }
        let used = request.headers[.authorization].flatMap { Self.token(in: $0) }
        let epoch = request.authenticationEpoch
        let answer = await ask { $0.afterRefusal(of: used, at: epoch) }
        guard let token = try answer.token.get(), token.value != used else { return .none }
        return answer.isFresh ? .refreshed : .newerCredential
    }

    /// Asks what to do, and waits for a new token if that is it.
    private func ask(_ question: (inout State) -> State.Step) async -> RefreshAnswer {
        await withCheckedContinuation { continuation in
            let (step, epoch) = state.withLock { state in
                let step = question(&state)
                switch step {
                case .wait, .refresh: state.add(continuation)
                case .send, .fail: break
                }
                return (step, state.epoch)
            }
            switch step {
            case .send(let token):
                let answer = RefreshAnswer(token: .success(token), epoch: epoch, isFresh: false)
                continuation.resume(returning: answer)
            case .fail(let error):
                let answer = RefreshAnswer(token: .failure(error), epoch: epoch, isFresh: false)
                continuation.resume(returning: answer)
            case .refresh(let stale): startRefresh(stale)
            case .wait: break
            }
        }
    }

    /// Runs in a task that nobody cancels: the calls that wait for it are many.
    private func startRefresh(_ stale: BearerToken?) {
        let refreshing = Self.refreshing.union([ObjectIdentifier(self)])
        let endpoint = Self.asking.map { Endpoint(like: $0) { $0.authentication = nil } }
        Task.detached {
            let result: Result<BearerToken, any Error>
            do {
                let token = try await Self.$refreshing.withValue(refreshing) {
                    try await self.fetch(stale?.value, endpoint)
                }
                result = .success(token)
            } catch {
                result = .failure(error)
            }
            let (waiters, epoch) = self.state.withLock { ($0.finish(result), $0.epoch) }
            let answer = RefreshAnswer(token: result.map { $0 }, epoch: epoch, isFresh: true)
            for waiter in waiters { waiter.resume(returning: answer) }
        }
    }

    /// Runs a closure of a call that works for refreshes, so that the calls it starts do so too.
    static func working(for refreshes: Set<ObjectIdentifier>, _ closure: () -> Void) {
        guard !refreshes.isEmpty else { return closure() }
        $refreshing.withValue(refreshes, operation: closure)
    }

    private func isExpired(_ token: BearerToken) -> Bool {
        guard let expiry = token.expiry else { return false }
        return expiry.timeIntervalSince(now()) <= TimeInterval(leeway.clampedNanoseconds) / 1e9
    }

    private static func token(in authorization: String) -> String? {
        guard case .bearer(let token) = AuthToken(authorization) else { return nil }
        return token
    }
}

extension BearerAuthentication: IdentifiedAuthentication {
    var identity: CredentialIdentity { .id(id.withLock { $0 }) }
}
