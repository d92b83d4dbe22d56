import Foundation
import NetKit
import NetKitOAuth
import NetKitTesting
import Testing

@Suite("Authorization server", .needs(.oauth), .timeLimit(.minutes(10)))
struct OAuthTests {
    /// What a test shares with no other: a part of the server, the client's clock, and all that is logged.
    private struct Realm {
        let endpoint: Endpoint
        let clock = ManualClock(skippingDelays: true)
        let log = Log()
        /// Arranges, and asks what arrived, without a log.
        private let director: Endpoint

        init(over engine: Engine) throws {
            let url = try RealServer.oauth.url.appendingPathComponent(UUID().uuidString)
            endpoint = Endpoint(
                baseURL: url,
                transport: try engine.transport(trusting: Engine.authority),
                clock: clock
            )
            endpoint.logger = log
            director = endpoint.derived { $0.logger = .silent }
        }

        var tokenURL: URL { endpoint.baseURL.appendingPathComponent("token") }

        func account() async throws -> Account { try await endpoint.value(for: AccountRequest()) }

        func requests() async throws -> [TokenRequests.Arrived] {
            try await director.value(for: TokenRequests())
        }

        @discardableResult
        func arrange(_ arrangement: ArrangeRequest.Arrangement) async throws -> String {
            try await director.value(for: ArrangeRequest(arrangement)).refresh
        }

        func revoke(_ token: String) async throws {
            try await director.value(for: RevokeRequest(token))
        }

        /// Why a call got no token.
        func refusal() async throws -> OAuthError {
            let error = try await failure(of: AccountRequest(), on: endpoint)
            if let expired = error.underlyingError as? OAuthError { return expired }
            let refused = error.underlyingError as? ErrorResponse<OAuthError>
            return try #require(refused?.serverError, "\(error)")
        }
    }

    /// Keeps every line, with every detail that it may have.
    private final class Log: NetworkLogger {
        private let lines = Kept<String>()

        var text: String { lines.elements.joined(separator: "\n") }

        func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
            lines.append(message())
        }

        func log(
            _ level: NetworkLogLevel,
            _ message: @autoclosure () -> String,
            metadata: @autoclosure () -> [String: String]
        ) {
            lines.append("\(message()) \(metadata())")
        }
    }

    private static let secret = "s3cret:100%+ü"

    private func reports(
        _ realm: Realm,
        secret: String = secret,
        scopes: [String] = ["read"]
    ) -> BearerAuthentication {
        BearerAuthentication(
            oauth: .clientCredentials(
                tokenURL: realm.tokenURL,
                clientID: "reports",
                clientSecret: secret,
                scopes: scopes
            )
        )
    }

    private static let secretOfForm = "f0rm:100%+&=ü"

    /// A program whose secret the server takes only in the form.
    private func form(
        _ realm: Realm,
        _ clientAuthentication: OAuthTokenSource.ClientAuthentication
    ) -> BearerAuthentication {
        BearerAuthentication(
            oauth: .clientCredentials(
                tokenURL: realm.tokenURL,
                clientID: "form",
                clientSecret: Self.secretOfForm,
                clientAuthentication: clientAuthentication,
                scopes: ["read"],
                parameters: ["resource": "https://a.test", "resource": "https://b.test"]
            )
        )
    }

    @Test(
        "issues one token by client credentials for twenty waiting calls",
        arguments: Engine.allCases
    )
    func clientCredentials(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        realm.endpoint.authentication = reports(realm)
        let calls = Array(repeating: AccountRequest(), count: 20)
        for result in await realm.endpoint.values(for: calls, maximumConcurrentRequests: 20) {
            #expect(try result.get() == Account(user: "reports", scope: "read"))
        }
        #expect(
            try await realm.requests() == [
                .init("client_credentials", client: "reports", scope: "read")
            ]
        )
    }

    @Test("takes the secret of some programs only in the form", arguments: Engine.allCases)
    func secretInForm(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        realm.endpoint.authentication = form(realm, .basic)
        #expect(try await realm.refusal().code == .invalidClient)
        realm.endpoint.authentication = form(realm, .post)
        #expect(try await realm.account() == Account(user: "form", scope: "read"))
        realm.endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(
                tokenURL: realm.tokenURL,
                clientID: "reports",
                clientSecret: Self.secret,
                clientAuthentication: .post
            )
        )
        #expect(try await realm.refusal().code == .invalidClient)
    }

    @Test("issues the next token half a minute before one expires", arguments: Engine.allCases)
    func expiry(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        realm.endpoint.authentication = reports(realm)
        _ = try await realm.account()
        realm.clock.advance(by: .seconds(3600 - 31))
        _ = try await realm.account()
        #expect(try await realm.requests().count == 1)
        realm.clock.advance(by: .seconds(2))
        _ = try await realm.account()
        #expect(try await realm.requests().count == 2)
    }

    @Test(
        "rotates refresh tokens, each of which is stored and used once",
        arguments: Engine.allCases
    )
    func rotation(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        let first = try await realm.arrange(.init(signsIn: true))
        let stored = Kept<String>()
        let authentication = BearerAuthentication(
            oauth: .refreshToken(first, tokenURL: realm.tokenURL, clientID: "app") { token in
                stored.append(token)
            }
        )
        realm.endpoint.authentication = authentication
        for round in 1...3 {
            let calls = Array(repeating: AccountRequest(), count: 20)
            for result in await realm.endpoint.values(for: calls, maximumConcurrentRequests: 20) {
                #expect(try result.get() == Account(user: "ada", scope: "read"))
            }
            #expect(stored.elements.count == round)
            if round == 1 {
                // The server takes the access token back before it expires.
                let token = try #require(authentication.token)
                try await realm.revoke(token)
            } else {
                realm.clock.advance(by: .seconds(3600))
            }
        }
        let tokens = stored.elements
        #expect(Set(tokens + [first]).count == 4)
        let refresh = TokenRequests.Arrived("refresh_token", client: "app")
        #expect(try await realm.requests() == [refresh, refresh, refresh])
    }

    @Test(
        "refuses a refresh token that was used or revoked, with a typed error",
        arguments: Engine.allCases
    )
    func invalidGrants(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        let used = try await realm.arrange(.init(signsIn: true))
        for isFirst in [true, false] {
            realm.endpoint.authentication = BearerAuthentication(
                oauth: .refreshToken(used, tokenURL: realm.tokenURL, clientID: "app") { _ in }
            )
            if isFirst {
                _ = try await realm.account()
            } else {
                #expect(try await realm.refusal().code == .invalidGrant)
            }
        }
        let revoked = try await realm.arrange(.init(signsIn: true))
        try await realm.revoke(revoked)
        realm.endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken(revoked, tokenURL: realm.tokenURL, clientID: "app") { _ in }
        )
        // A call that failed doesn't bar the next one.
        for _ in 1...2 { #expect(try await realm.refusal().code == .invalidGrant) }
        #expect(
            try await realm.requests().map(\.error)
                == [nil, "invalid_grant", "invalid_grant", "invalid_grant"]
        )
    }

    @Test("waits for a user on another device, and slows down", arguments: Engine.allCases)
    func device(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        try await realm.arrange(
            .init(answers: ["pending", "slow_down", "pending", "slow_down", "pending"])
        )
        let prompts = Kept<String>()
        realm.endpoint.authentication = BearerAuthentication(oauth: device(of: realm, prompts))
        #expect(try await realm.account() == Account(user: "ada", scope: "read"))
        #expect(prompts.elements.count == 1)
        #expect(realm.clock.skippedDelays == [5, 5, 10, 10, 15, 15].map { .seconds($0) })
        // The refresh token of the answer is enough from then on.
        realm.clock.advance(by: .seconds(3600))
        _ = try await realm.account()
        #expect(prompts.elements.count == 1)
        let code = "urn:ietf:params:oauth:grant-type:device_code"
        #expect(
            try await realm.requests().map(\.grant) == Array(repeating: code, count: 6) + [
                "refresh_token"
            ]
        )
        #expect(
            try await realm.requests().map(\.error) == [
                "authorization_pending", "slow_down", "authorization_pending", "slow_down",
                "authorization_pending", nil, nil,
            ]
        )
    }

    @Test("ends the wait for a user who refuses or is too late", arguments: Engine.allCases)
    func refusingDevice(engine: Engine) async throws {
        let outcomes: [(ArrangeRequest.Arrangement, OAuthError.Code)] = [
            (.init(answers: ["pending"], isApproved: false), .accessDenied),
            (.init(answers: ["pending", "expired"]), .expiredToken),
        ]
        for (arrangement, code) in outcomes {
            let realm = try Realm(over: engine)
            try await realm.arrange(arrangement)
            realm.endpoint.authentication = BearerAuthentication(
                oauth: device(of: realm, Kept())
            )
            #expect(try await realm.refusal().code == code)
        }
    }

    private func device(of realm: Realm, _ prompts: Kept<String>) -> OAuthTokenSource {
        .deviceCode(
            deviceURL: realm.endpoint.baseURL.appendingPathComponent("device"),
            tokenURL: realm.tokenURL,
            clientID: "app",
            scopes: ["read"]
        ) { code, page in
            #expect(page.path == "/device")
            prompts.append(code)
        }
    }

    @Test("takes signed assertions, and says what is wrong with others", arguments: Engine.allCases)
    func assertions(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        let good = Assertion(audience: realm.tokenURL)
        realm.endpoint.authentication = authentication(by: good, of: realm)
        #expect(try await realm.account() == Account(user: "ada", scope: "read"))
        var forged = good, expired = good, stranger = good
        forged.key = "another key of at least thirty-two bytes"
        expired.expires = Date(timeIntervalSinceNow: -300)
        stranger.subject = "eve"
        let elsewhere = Assertion(audience: realm.endpoint.baseURL)
        for bad in [forged, expired, stranger, elsewhere] {
            realm.endpoint.authentication = authentication(by: bad, of: realm)
            #expect(try await realm.refusal().code == .invalidGrant)
        }
    }

    private func authentication(by assertion: Assertion, of realm: Realm) -> BearerAuthentication {
        BearerAuthentication(
            oauth: .jwtBearer(tokenURL: realm.tokenURL, scopes: ["read"]) { try assertion.signed() }
        )
    }

    @Test("names the error of RFC 6749", arguments: Engine.allCases)
    func errors(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        realm.endpoint.authentication = reports(realm, secret: "wrong")
        let unknown = try await realm.refusal()
        #expect(unknown.code == .invalidClient)
        #expect(unknown.message.hasPrefix("The client cannot authenticate"))
        realm.endpoint.authentication = reports(realm, scopes: ["everything"])
        #expect(try await realm.refusal().code.rawValue == "invalid_scope")
        // A client that may only send assertions.
        realm.endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(
                tokenURL: realm.tokenURL,
                clientID: "robot",
                clientSecret: "robot-secret"
            )
        )
        #expect(try await realm.refusal().code.rawValue == "unauthorized_client")
        #expect(
            try await realm.requests().map(\.error)
                == ["invalid_client", "invalid_scope", "unauthorized_client"]
        )
    }

    @Test("leaves no secret in the log of a client", arguments: Engine.allCases)
    func secrets(engine: Engine) async throws {
        let realm = try Realm(over: engine)
        let first = try await realm.arrange(.init(signsIn: true))
        let secrets = Kept<String>()
        for secret in [first, Self.secret, Self.secretOfForm] { secrets.append(secret) }
        let authentication = BearerAuthentication(
            oauth: .refreshToken(first, tokenURL: realm.tokenURL, clientID: "app") { token in
                secrets.append(token)
            }
        )
        let credentials = reports(realm)
        let assertion = try Assertion(audience: realm.tokenURL).signed()
        let signed = BearerAuthentication(
            oauth: .jwtBearer(tokenURL: realm.tokenURL) { assertion }
        )
        for one in [authentication, credentials, form(realm, .post), signed] {
            realm.endpoint.authentication = one
            _ = try await realm.account()
            let token = try #require(one.token)
            secrets.append(token)
        }
        let basic = Data("reports:s3cret%3A100%25%2B%C3%BC".utf8).base64EncodedString()
        let log = realm.log.text
        for secret in secrets.elements + [basic, "f0rm%3A100", assertion] {
            #expect(!log.contains(secret))
        }
        #expect(log.contains("/token"))
    }
}
