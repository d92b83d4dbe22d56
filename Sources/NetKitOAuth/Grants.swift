import Foundation
import NetKit

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
    private let store: @Sendable (String) async throws -> Void

    init(_ token: String, _ store: @escaping @Sendable (String) async throws -> Void) {
        state = Locked(State(token: token))
        self.store = store
    }

    func token(_ client: Client, _ url: URL, by endpoint: Endpoint) async throws -> BearerToken {
        let (used, unstored) = state.withLock { ($0.token, $0.unstored) }
        if let unstored {
            // An earlier attempt to store it failed.
            try await store(used)
            state.withLock { $0.unstored = nil }
            if unstored.expires.map({ $0 > endpoint.date }) ?? true { return unstored }
        }
        let request = TokenRequest<TokenAnswer>(
            client,
            url,
            ["grant_type": "refresh_token", "refresh_token": used]
        )
        let (token, refresh) = try await request.token(by: endpoint)
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

        private enum CodingKeys: String, CodingKey {
            case deviceCode = "device_code"
            case userCode = "user_code"
            case page = "verification_uri"
            case lifetime = "expires_in"
            case interval
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
            } catch let error as ErrorResponse<OAuthError>
                where error.serverError?.code == .invalidGrant
            {
                refresh.withLock { $0 = nil }
            }
        }
        let answer: DeviceAnswer = try await endpoint.value(
            for: TokenRequest(client, deviceURL, ["scope": scope])
        )
        try await prompt(answer.userCode, answer.page)
        return try await poll(answer, by: endpoint)
    }

    private func poll(_ device: DeviceAnswer, by endpoint: Endpoint) async throws -> BearerToken {
        let request = TokenRequest<TokenAnswer>(
            client,
            tokenURL,
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": device.deviceCode,
            ]
        )
        let start = endpoint.clock.now
        let lifetime = Duration.seconds(min(max(device.lifetime, 0), 1e9))
        var interval = min(max(device.interval ?? 5, 0), 3600)
        while true {
            if let reason = await endpoint.pause(for: .seconds(interval)) {
                throw ErrorResponse<OAuthError>(CallFailure(reason))
            }
            do {
                let (token, rotated) = try await request.token(by: endpoint)
                if let rotated { refresh.withLock { $0 = RefreshGrant(rotated) { _ in } } }
                return token
            } catch {
                switch error.serverError?.code {
                case .authorizationPending?: break
                case .slowDown?: interval += 5
                case nil where error.isTransient: interval = min(max(interval, 1) * 2, 3600)
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
