public import Foundation
public import NetKit
import NetKitSupport

/// A source of access tokens for ``BearerAuthentication`` (OAuth 2.0, RFC 6749).
///
/// ```swift
/// endpoint.authentication = BearerAuthentication(
///     oauth: .clientCredentials(tokenURL: url, clientID: "reports", clientSecret: secret)
/// )
/// ```
///
/// A token is requested before the first call, again shortly before it expires (`expires_in`), and when the server rejects
/// it. There is one request for any number of waiting calls, also of several endpoints that share a source. It is sent
/// by the endpoint of the call that needs it: over its transport and with its limits, but without its credentials. It is
/// never retried by itself, because codes and rotating tokens are valid only once: a later call asks anew.
///
/// To sign a user out, set the endpoint's authentication to nil: an authentication without a token, such as after
/// ``BearerAuthentication/setToken(_:)`` with nil, asks its source again.
///
/// A client secret is sent as ``ClientAuthentication`` says. Without one, the form has the `client_id` alone. Tokens and
/// secrets are in no log. If the authorization server refuses, see ``OAuthError``.
///
/// Give the server's URLs as `https`, unless it is on this machine. Over `http`, anyone on the way can read secrets and
/// tokens. Such a URL isn't refused, because it can belong to a private network. The log warns only of a secret in the
/// `Authorization` field, not of those in a form.
///
/// If a server needs more than OAuth's own parameters, such as Auth0's `audience` or the `resource` of RFC 8707, name them
/// in `parameters`. Each request to the authorization server has them, in their order, and a name may repeat. Logs never
/// show their values. A parameter without a name, or one of `grant_type`, `client_id`, `client_secret`, `refresh_token`,
/// `device_code`, `assertion` and `scope`, is refused with ``InvalidRequest/Reason/unencodableBody(_:)``. Beside an assertion,
/// `client_id` and `client_secret` may be named.
///
/// ```swift
/// .clientCredentials(
///     tokenURL: url, clientID: "reports", clientSecret: secret,
///     clientAuthentication: .post, parameters: ["audience": "https://api.example.com"]
/// )
/// ```
public struct OAuthTokenSource: Sendable {
    /// A way to send a client secret (RFC 6749, section 2.3.1).
    ///
    /// The server's documentation or metadata names it. Without a secret, it has no effect.
    public enum ClientAuthentication: Hashable, Sendable {
        /// The identifier and the secret in the `Authorization` field: `client_secret_basic`.
        case basic
        /// The `client_id` and the `client_secret` in the form: `client_secret_post`.
        case post
    }

    private let requests: SharedRequest

    /// The work of getting a token, of all who share the source.
    var work: SharedWork { requests.work }

    /// The number of calls that have joined the request that runs, without the one that started it.
    var joinerCount: Int { requests.joinerCount }

    private init(_ request: @escaping @Sendable (Endpoint) async throws -> BearerToken) {
        requests = SharedRequest(request)
    }

    /// Requests an access token, or waits for the request that runs.
    func token(by endpoint: Endpoint) async throws -> BearerToken {
        try await requests.token(by: endpoint)
    }

    /// Tokens for the program itself (RFC 6749, section 4.4).
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint.
    ///   - clientID: The identifier of the program.
    ///   - clientSecret: Its secret.
    ///   - clientAuthentication: How the secret is sent. Defaults to ``ClientAuthentication/basic``.
    ///   - scopes: The scopes to ask for. Defaults to none, the server's default.
    ///   - parameters: Other parameters of each request to the server. Defaults to none.
    /// - Returns: The source.
    public static func clientCredentials(
        tokenURL: URL,
        clientID: String,
        clientSecret: String,
        clientAuthentication: ClientAuthentication = .basic,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:]
    ) -> OAuthTokenSource {
        let client = Client(
            id: clientID,
            secret: clientSecret,
            authentication: clientAuthentication,
            parameters: parameters
        )
        let request = TokenRequest<TokenAnswer>(
            client,
            tokenURL,
            ["grant_type": "client_credentials", "scope": text(of: scopes)]
        )
        return OAuthTokenSource { try await request.token(by: $0).access }
    }

    /// Tokens for a user who signed in earlier (RFC 6749, section 6).
    ///
    /// If the server rotates the refresh token, `store` receives the new one before the new access token is used. If it
    /// throws, the call fails with its error, and the next call begins with another attempt to store it: the token is
    /// not lost as long as the process lives.
    ///
    /// Once the server no longer accepts the refresh token, calls fail with an error whose
    /// ``ErrorResponse/requiresSignIn`` is true.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - tokenURL: The token endpoint.
    ///   - clientID: The identifier of the program.
    ///   - clientSecret: Its secret, or nil for a program that can't keep one. Defaults to nil.
    ///   - clientAuthentication: How the secret is sent. Defaults to ``ClientAuthentication/basic``.
    ///   - scopes: The scopes to ask for, at most those of the sign-in. Defaults to none, which means all of them.
    ///   - parameters: Other parameters of each request to the server. Defaults to none.
    ///   - store: A closure that persists a refresh token, called for one token at a time.
    /// - Returns: The source.
    public static func refreshToken(
        _ token: String,
        tokenURL: URL,
        clientID: String,
        clientSecret: String? = nil,
        clientAuthentication: ClientAuthentication = .basic,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        store: @escaping @Sendable (String) async throws -> Void
    ) -> OAuthTokenSource {
        let client = Client(
            id: clientID,
            secret: clientSecret,
            authentication: clientAuthentication,
            parameters: parameters
        )
        let grant = RefreshGrant(token, scope: text(of: scopes), store)
        return OAuthTokenSource { try await grant.token(client, tokenURL, by: $0) }
    }

    /// Tokens for a user who signs in on another device (RFC 8628).
    ///
    /// The source asks the server every few seconds whether the user has finished: as often as the server says, and less
    /// often after `slow_down` and lost connections. A refresh token that the server issues is kept in memory. When it
    /// is no longer valid, the user is prompted again. Without one, each ``BearerAuthentication`` prompts for itself: let
    /// endpoints share it rather than the source. As another user may answer a later prompt, responses that were cached
    /// before are no longer used.
    ///
    /// - Parameters:
    ///   - deviceURL: The device authorization endpoint.
    ///   - tokenURL: The token endpoint.
    ///   - clientID: The identifier of the program.
    ///   - clientSecret: Its secret, which some servers want of devices too. Defaults to nil.
    ///   - clientAuthentication: How the secret is sent. Defaults to ``ClientAuthentication/basic``.
    ///   - scopes: The scopes to ask for. Defaults to none, the server's default.
    ///   - parameters: Other parameters of each request to the server. Defaults to none.
    ///   - prompt: A closure that shows the user the code to enter, and the page where to enter it.
    /// - Returns: The source. If the server refuses, it throws an `ErrorResponse<OAuthError>`, with
    ///   ``OAuthError/Code/accessDenied`` if the user did. When the code's lifetime is over, it throws an ``OAuthError``
    ///   with ``OAuthError/Code/expiredToken``.
    public static func deviceCode(
        deviceURL: URL,
        tokenURL: URL,
        clientID: String,
        clientSecret: String? = nil,
        clientAuthentication: ClientAuthentication = .basic,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        prompt: @escaping @Sendable (_ userCode: String, _ page: URL) async throws -> Void
    ) -> OAuthTokenSource {
        let grant = DeviceGrant(
            client: Client(
                id: clientID,
                secret: clientSecret,
                authentication: clientAuthentication,
                parameters: parameters
            ),
            deviceURL: deviceURL,
            tokenURL: tokenURL,
            scope: text(of: scopes),
            prompt: prompt
        )
        return OAuthTokenSource { try await grant.token(by: $0) }
    }

    /// Tokens for an assertion, which your code signs (RFC 7523, section 2.1).
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint, the `aud` of most servers' assertions.
    ///   - scopes: The scopes to ask for. Defaults to none, the server's default.
    ///   - parameters: Other parameters of each request to the server. Defaults to none.
    ///   - assertion: A closure that returns a signed JSON Web Token, called for each request of an access token.
    /// - Returns: The source.
    public static func jwtBearer(
        tokenURL: URL,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        assertion: @escaping @Sendable () async throws -> String
    ) -> OAuthTokenSource {
        // The assertion says who asks.
        let client = Client(parameters: parameters)
        return OAuthTokenSource { endpoint in
            let signed = try await assertion()
            let request = TokenRequest<TokenAnswer>(
                client,
                tokenURL,
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "assertion": signed, "scope": text(of: scopes),
                ]
            )
            return try await request.token(by: endpoint).access
        }
    }

    private static func text(of scopes: [String]) -> String? {
        scopes.isEmpty ? nil : scopes.joined(separator: " ")
    }
}

extension BearerAuthentication {
    /// Creates an authentication with tokens of an authorization server.
    ///
    /// - Parameters:
    ///   - source: The source, which can be shared.
    ///   - statuses: The status codes that mean that the token is invalid. Defaults to 401.
    public convenience init(
        oauth source: OAuthTokenSource,
        refreshingOn statuses: Set<HTTPStatus> = [401]
    ) {
        self.init(fetchingBeforeUse: statuses, in: source.work) { endpoint in
            try await source.token(by: endpoint)
        }
    }
}

/// One request of a token at a time, for all who wait for it.
private final class SharedRequest: Sendable {
    /// A call of a closure of the source isn't authenticated, whichever endpoint sends it: it would wait for itself.
    let work = SharedWork(isRefresh: true)
    /// The error of a request that ended with all calls of its endpoint.
    private struct Stopped: Error {
        let error: any Error
    }

    private struct Running {
        let task: Task<BearerToken, any Error>
        var joinerCount = 0
    }

    private let request: @Sendable (Endpoint) async throws -> BearerToken
    private let running = Locked<Running?>(nil)

    /// The number of calls that have joined the request that runs, without the one that started it.
    var joinerCount: Int { running.withLock { $0?.joinerCount ?? 0 } }

    init(_ request: @escaping @Sendable (Endpoint) async throws -> BearerToken) {
        self.request = request
    }

    func token(by endpoint: Endpoint) async throws -> BearerToken {
        while true {
            let (task, isStarter) = run(by: endpoint)
            do {
                return try await task.value
            } catch let stopped as Stopped {
                // Only the endpoint that sent the request was stopped.
                guard !isStarter else { throw stopped.error }
            }
        }
    }

    private func run(
        by endpoint: Endpoint
    ) -> (task: Task<BearerToken, any Error>, isStarter: Bool) {
        running.withLock { running in
            if let task = running?.task {
                running?.joinerCount += 1
                return (task, false)
            }
            let task = Task { [self] in
                defer { self.running.withLock { $0 = nil } }
                let lastStop = endpoint.lastStop
                do {
                    return try await request(endpoint)
                } catch
                    where CallFailure.isStop(
                        error,
                        whenCancelled: endpoint.lastStop > lastStop
                    )
                {
                    throw Stopped(error: error)
                }
            }
            running = Running(task: task)
            return (task, true)
        }
    }
}

/// A refresh token that the server may replace with each use (RFC 6749, section 6).
///
/// It is used by one request at a time.
final class RefreshGrant: Sendable {
    private struct State {
        var token: String
        /// A new access token, whose refresh token isn't stored yet.
        var unstored: BearerToken?
    }

    private let state: Locked<State>
    /// The sign-in that the tokens are of, or nil if unknown.
    private let signIn: ProcessUniqueID?
    private let scope: String?
    private let store: @Sendable (String) async throws -> Void

    init(
        _ token: String,
        of signIn: ProcessUniqueID? = nil,
        scope: String? = nil,
        _ store: @escaping @Sendable (String) async throws -> Void
    ) {
        state = Locked(State(token: token))
        self.signIn = signIn
        self.scope = scope
        self.store = store
    }

    func token(_ client: Client, _ url: URL, by endpoint: Endpoint) async throws -> BearerToken {
        let (used, unstored) = state.withLock { ($0.token, $0.unstored) }
        if let unstored {
            // An earlier attempt to store it failed.
            try await store(used)
            state.withLock { $0.unstored = nil }
            // As long as it would be used if it had been stored at once.
            let end = endpoint.clock.date.addingTimeInterval(
                BearerAuthentication.fetchLeeway / .seconds(1)
            )
            if unstored.expires.map({ $0 > end }) ?? true { return unstored }
        }
        let request = TokenRequest<TokenAnswer>(
            client,
            url,
            ["grant_type": "refresh_token", "refresh_token": used, "scope": scope]
        )
        let (token, refresh) = try await request.token(by: endpoint, signIn: signIn)
        guard let rotated = refresh, rotated != used else { return token }
        state.withLock { $0 = State(token: rotated, unstored: token) }
        try await store(rotated)
        state.withLock { $0.unstored = nil }
        return token
    }
}

/// The device authorization grant (RFC 8628), and the refresh token that it leads to.
final class DeviceGrant: Sendable {
    private struct DeviceAnswer: Decodable, Sendable {
        let deviceCode: String
        let userCode: String
        let page: URL
        let lifetime: Double
        let interval: Double?

        private enum Keys: String, CodingKey {
            case deviceCode = "device_code"
            case userCode = "user_code"
            case page = "verification_uri"
            /// The name in drafts of the RFC, which some servers still use.
            case draftPage = "verification_url"
            case lifetime = "expires_in"
            case interval
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Keys.self)
            deviceCode = try members.decode(String.self, forKey: .deviceCode)
            userCode = try members.decode(String.self, forKey: .userCode)
            let isOfDraft = members.contains(.draftPage) && !members.contains(.page)
            page = try members.decode(URL.self, forKey: isOfDraft ? .draftPage : .page)
            lifetime = try members.decode(Seconds.self, forKey: .lifetime).value ?? 0
            interval = try members.decodeIfPresent(Seconds.self, forKey: .interval)?.value
        }
    }

    private let client: Client
    private let deviceURL: URL
    private let tokenURL: URL
    private let scope: String?
    private let prompt: @Sendable (_ userCode: String, _ page: URL) async throws -> Void
    private let refresh = Locked<RefreshGrant?>(nil)

    init(
        client: Client,
        deviceURL: URL,
        tokenURL: URL,
        scope: String?,
        prompt: @escaping @Sendable (_ userCode: String, _ page: URL) async throws -> Void
    ) {
        self.client = client
        self.deviceURL = deviceURL
        self.tokenURL = tokenURL
        self.scope = scope
        self.prompt = prompt
    }

    func token(by endpoint: Endpoint) async throws -> BearerToken {
        if let grant = refresh.withLock({ $0 }) {
            do {
                return try await grant.token(client, tokenURL, by: endpoint)
            } catch let error as ErrorResponse<OAuthError> where error.requiresSignIn {
                refresh.withLock { $0 = nil }
            }
        }
        return try await endpoint.stoppable { control in
            let request = TokenRequest<DeviceAnswer>(
                client,
                deviceURL,
                ["scope": scope],
                alwaysSendsID: true
            )
            let answer = try await request.response(by: endpoint, of: control).value
            try await show(answer, until: control)
            return try await poll(answer, by: endpoint, control)
        }
    }

    /// Shows the code to the user, unless the sign-in is stopped before or meanwhile.
    private func show(_ device: DeviceAnswer, until control: CallControl) async throws {
        if let reason = control.stopped { throw ErrorResponse<OAuthError>(CallFailure(reason)) }
        let ended = await control.run { [prompt] () -> Result<Void, any Error> in
            do {
                return .success(try await prompt(device.userCode, device.page))
            } catch {
                return .failure(error)
            }
        }
        switch ended {
        case .success(let shown): try shown.get()
        case .failure(let failure): throw ErrorResponse<OAuthError>(failure)
        }
    }

    private func poll(
        _ device: DeviceAnswer,
        by endpoint: Endpoint,
        _ control: CallControl
    ) async throws -> BearerToken {
        let request = TokenRequest<TokenAnswer>(
            client,
            tokenURL,
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": device.deviceCode,
            ]
        )
        let (signIn, start) = (ProcessUniqueID(), endpoint.clock.now)
        let lifetime = Duration.seconds(min(max(device.lifetime, 0), 1e9))
        var interval = min(max(device.interval ?? 5, 1), 3600)
        while true {
            if let reason = await endpoint.pause(for: .seconds(interval), of: control) {
                throw ErrorResponse<OAuthError>(CallFailure(reason))
            }
            do {
                let (token, rotated) = try await request.token(
                    by: endpoint,
                    of: control,
                    signIn: signIn
                )
                if let rotated {
                    refresh.withLock { $0 = RefreshGrant(rotated, of: signIn) { _ in } }
                }
                return token
            } catch {
                // The same error as below, from a server that still knows the code.
                if let refusal = error.serverError, refusal.code == .expiredToken { throw refusal }
                switch error.serverError?.code {
                case .authorizationPending?: break
                case .slowDown?: interval += 5
                case _ where error.isTransient: interval = min(interval * 2, 3600)
                default: throw error
                }
                // The server would say so, too, if it still knew the code.
                guard endpoint.clock.elapsed(since: start) < lifetime else {
                    throw OAuthError(code: .expiredToken, details: nil, page: nil)
                }
            }
        }
    }
}
