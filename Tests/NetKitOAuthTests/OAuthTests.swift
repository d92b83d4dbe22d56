import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKitOAuth

/// An authorization server and a server with things that need its tokens, in one.
@Suite("OAuth tokens", .timeLimit(.minutes(15)))
struct OAuthTests {
    private struct Thing: Request {
        typealias ResponseObjectType = String
        let path = "thing"
    }

    private let server: MockServer
    private let clock = ManualClock(skippingDelays: true)
    private let endpoint: Endpoint
    /// The access tokens that the server accepts.
    private let valid = Locked<Set<String>>([])

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(baseURL: server.baseURL, clock: clock)
        server.route(nil, "/thing") { [valid] request in
            let token = request.header("Authorization")?.dropFirst("Bearer ".count) ?? ""
            return valid.withLock { $0.contains(String(token)) } ? .text("yours") : .status(401)
        }
    }

    private struct Answer: Sendable {
        let status: HTTPStatus
        let json: String

        static func json(_ json: String) -> Answer { Answer(status: .ok, json: json) }

        static func token(_ token: String, for seconds: Int, refresh: String? = nil) -> Answer {
            let rotated = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
            return json(
                #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":\#(seconds)\#(rotated)}"#
            )
        }

        static func error(_ code: String, _ text: String = "") -> Answer {
            Answer(
                status: .badRequest,
                json: #"{"error":"\#(code)","error_description":"\#(text)"}"#
            )
        }
    }

    private var tokenURL: URL { server.url("/token") }

    /// Answers each token request with the next of these, `access_token`s of which are valid from then on.
    private func answer(_ answers: Answer...) {
        let left = Locked(answers)
        server.route("POST", "/token") { [valid] _ in
            guard let answer = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return .status(500)
            }
            if let token = answer.json.firstMatch(of: /"access_token":"([^"]*)"/) {
                valid.withLock { _ = $0.insert(String(token.1)) }
            }
            return .json(text: answer.json, status: answer.status.rawValue)
        }
    }

    private func forms(_ path: String = "/token") -> [String] {
        server.requests.filter { $0.path == path }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    private func thing() async throws -> String { try await endpoint.value(for: Thing()) }

    /// Asks for a thing whose token the authorization server refuses.
    private func refusedThing() async throws -> OAuthError {
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        let failure = try #require(error)
        guard case .interceptor(let refresh as ErrorResponse<OAuthError>) = failure else {
            throw failure
        }
        return try #require(refresh.serverError)
    }

    /// Answers each request of a device code with this JSON.
    private func answerDevices(_ json: String) {
        server.route("POST", "/device") { _ in .json(text: json) }
    }

    @Test("are requested before the first call, once for any number of calls and endpoints")
    func once() async throws {
        answer(.token("a1", for: 3600))
        let source = OAuthTokenSource.clientCredentials(
            tokenURL: tokenURL,
            clientID: "a b:c",
            clientSecret: "s/é",
            scopes: ["read", "write"]
        )
        let other = Endpoint(baseURL: server.baseURL, clock: clock)
        endpoint.authentication = BearerAuthentication(oauth: source)
        other.authentication = endpoint.authentication
        let values = await endpoint.values(for: (0..<20).map { _ in Thing() })
        #expect(try values.map { try $0.get() } == Array(repeating: "yours", count: 20))
        #expect(try await other.value(for: Thing()) == "yours")
        #expect(forms() == ["grant_type=client_credentials&scope=read+write"])
        let request = try #require(server.requests.first { $0.path == "/token" })
        let credentials = Data("a+b%3Ac:s%2F%C3%A9".utf8).base64EncodedString()
        #expect(request.header("Authorization") == "Basic \(credentials)")
        #expect(server.requests.count == 22)
    }

    @Test("are requested again shortly before they expire, and when the server rejects them")
    func expiry() async throws {
        answer(
            .json(#"{"access_token":"a1","token_type":"bearer","expires_in":"100"}"#),
            .json(#"{"access_token":"a2","token_type":"bearer","expires_in":100}"#),
            .json(#"{"access_token":"a3","token_type":"bearer"}"#)
        )
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(tokenURL: tokenURL, clientID: "c", clientSecret: "s")
        )
        #expect(try await thing() == "yours")
        clock.advance(by: .seconds(69))
        #expect(try await thing() == "yours")
        #expect(forms().count == 1)
        clock.advance(by: .seconds(2))
        #expect(try await thing() == "yours")
        #expect(forms().count == 2)
        valid.withLock { $0 = [] }
        #expect(try await thing() == "yours")
        #expect(forms().count == 3)
    }

    @Test(
        "expire at half of a short lifetime, and never if the lifetime isn't positive",
        arguments: [
            (0, 3600, 1), (-5, 3600, 1), (1, 1, 2), (20, 9, 1), (20, 11, 2), (90, 59, 1),
            (90, 61, 2),
        ]
    )
    func lifetimes(lifetime: Int, wait: Int, requests: Int) async throws {
        answer(.token("a1", for: lifetime), .token("a2", for: 3600))
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(tokenURL: tokenURL, clientID: "c", clientSecret: "s")
        )
        #expect(try await thing() == "yours")
        clock.advance(by: .seconds(wait))
        #expect(try await thing() == "yours")
        #expect(forms().count == requests)
    }

    @Test("of a user rotate, and the new refresh token is stored before its access token is used")
    func rotation() async throws {
        answer(
            .token("a1", for: 60, refresh: "r2"),
            .token("a2", for: 60)
        )
        let stored = Locked<[String]>([])
        let server = server
        endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken("r1", tokenURL: tokenURL, clientID: "app") { token in
                #expect(!server.requests.contains { $0.path == "/thing" })
                stored.withLock { $0.append(token) }
            }
        )
        #expect(try await thing() == "yours")
        clock.advance(by: .seconds(61))
        #expect(try await thing() == "yours")
        #expect(stored.withLock { $0 } == ["r2"])
        #expect(
            forms() == [
                "grant_type=refresh_token&refresh_token=r1&client_id=app",
                "grant_type=refresh_token&refresh_token=r2&client_id=app",
            ]
        )
    }

    @Test(
        "that can't be stored are used later, unless they have expired, and none is used twice",
        arguments: [(Duration.zero, ["r1"]), (.seconds(45), ["r1", "r2"])]
    )
    func failingStore(later: Duration, used: [String]) async throws {
        struct Full: Error {}
        answer(.token("a1", for: 40, refresh: "r2"), .token("a2", for: 40))
        let attempts = Locked(0)
        endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken("r1", tokenURL: tokenURL, clientID: "app") { token in
                #expect(token == "r2")
                let isFirst = attempts.withLock { attempts in
                    attempts += 1
                    return attempts == 1
                }
                if isFirst { throw Full() }
            }
        )
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        clock.advance(by: later)
        #expect(try await thing() == "yours")
        #expect(
            forms() == used.map { "grant_type=refresh_token&refresh_token=\($0)&client_id=app" }
        )
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test("that are refused fail the call with the server's typed error, and nothing is sent twice")
    func refusal() async throws {
        answer(.error("invalid_grant", "revoked"))
        endpoint.retryingCount = 3
        endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken("r1", tokenURL: tokenURL, clientID: "app") { _ in }
        )
        let refusal = try await refusedThing()
        #expect(refusal.code == .invalidGrant)
        #expect(refusal.details == "revoked")
        #expect(server.requests.map(\.path) == ["/token"])
    }

    @Test("are asked for at no other origin that a redirect names", arguments: [307, 308])
    func redirects(status: Int) async throws {
        let other = try MockServer()
        other.route(nil, "/token") { _ in
            .json(text: #"{"access_token":"evil","token_type":"Bearer"}"#)
        }
        let address = other.url("/token").absoluteString
        server.route("POST", "/token") { _ in
            .status(status).header("Location", address)
        }
        endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken("r1", tokenURL: tokenURL, clientID: "app") { _ in }
        )
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        #expect(other.requests.isEmpty)
        server.route("POST", "/token") { _ in
            .status(status).header("Location", "/moved")
        }
        server.route("POST", "/moved") { [valid] _ in
            valid.withLock { _ = $0.insert("a1") }
            return .json(text: #"{"access_token":"a1","token_type":"Bearer"}"#)
        }
        #expect(try await thing() == "yours")
    }

    @Test("are needed by no call of a source's closure, whichever endpoint sends it")
    func callsOfClosures() async throws {
        answer(.token("a1", for: 600, refresh: "r2"))
        server.route("PUT", "/refresh-token") { _ in .status(204) }
        let other = Endpoint(baseURL: server.baseURL, clock: clock)
        let source = OAuthTokenSource.refreshToken("r1", tokenURL: tokenURL, clientID: "app") {
            [weak other] token in
            try await other?.put("refresh-token", .string(token))
        }
        endpoint.authentication = BearerAuthentication(oauth: source)
        other.authentication = BearerAuthentication(oauth: source)
        #expect(try await thing() == "yours")
        #expect(server.requests.map(\.path) == ["/token", "/refresh-token", "/thing"])
        #expect(server.requests[1].header("Authorization") == nil)
    }

    @Test("that a stopped endpoint asked for are asked for anew by the others that wait")
    func stoppedAsker() async throws {
        let isFirst = Locked(true)
        server.route("POST", "/token") { [valid] _ in
            let stalls = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            valid.withLock { _ = $0.insert("a1") }
            return stalls
                ? .fault(.stall) : .json(text: #"{"access_token":"a1","token_type":"Bearer"}"#)
        }
        let source = OAuthTokenSource.clientCredentials(
            tokenURL: tokenURL,
            clientID: "c",
            clientSecret: "s"
        )
        let other = Endpoint(baseURL: server.baseURL, clock: clock)
        endpoint.authentication = BearerAuthentication(oauth: source)
        other.authentication = BearerAuthentication(oauth: source)
        let stopped = Thing().execute(on: endpoint)
        _ = try await server.waitForRequests(1)
        let waiting = Thing().execute(on: other)
        while source.joinerCount == 0, !Task.isCancelled { await Task.yield() }
        endpoint.cancelAllRequests()
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await stopped.value }
        #expect(try await waiting.value == "yours")
    }

    @Test("of another type, empty, or none, are no tokens")
    func otherType() async throws {
        answer(
            .json(#"{"access_token":"a1","token_type":"mac"}"#),
            .json(#"{"token_type":"bearer"}"#),
            .json(#"{"access_token":"","token_type":"bearer"}"#)
        )
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(tokenURL: tokenURL, clientID: "c", clientSecret: "s")
        )
        for _ in 0..<3 {
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        }
        #expect(server.requests.map(\.path) == ["/token", "/token", "/token"])
    }

    @Test("may come with an empty error, and with an empty refresh token, which replaces none")
    func emptyMembers() async throws {
        answer(
            .json(
                #"""
                {"access_token":"a1","token_type":"Bearer","expires_in":60,
                "refresh_token":"","error":""}
                """#
            ),
            .token("a2", for: 60)
        )
        endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken("r1", tokenURL: tokenURL, clientID: "app") { token in
                Issue.record("stored \(token)")
            }
        )
        #expect(try await thing() == "yours")
        clock.advance(by: .seconds(61))
        #expect(try await thing() == "yours")
        let form = "grant_type=refresh_token&refresh_token=r1&client_id=app"
        #expect(forms() == [form, form])
    }

    @Test("of a device are asked for as often as the server allows, until the user has finished")
    func device() async throws {
        answerDevices(
            #"""
            {"device_code":"d1","user_code":"AB-CD","verification_uri":"https://x.test/d",
            "expires_in":600,"interval":2}
            """#
        )
        answer(
            .error("authorization_pending"),
            .error("slow_down"),
            .error("authorization_pending"),
            .token("a1", for: 60, refresh: "r1"),
            .token("a2", for: 60, refresh: "r2"),
            .error("invalid_grant"),
            .error("access_denied")
        )
        let prompts = Locked<[String]>([])
        endpoint.authentication = BearerAuthentication(
            oauth: .deviceCode(
                deviceURL: server.url("/device"),
                tokenURL: tokenURL,
                clientID: "tv"
            ) { code, page in
                prompts.withLock { $0.append("\(code) \(page)") }
            }
        )
        #expect(try await thing() == "yours")
        #expect(forms("/device") == ["client_id=tv"])
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        #expect(forms() == Array(repeating: "\(form)&device_code=d1&client_id=tv", count: 4))
        #expect(clock.skippedDelays == [2, 2, 7, 7].map { .seconds($0) })
        clock.advance(by: .seconds(61))
        #expect(try await thing() == "yours")
        #expect(forms().last == "grant_type=refresh_token&refresh_token=r1&client_id=tv")
        #expect(prompts.withLock { $0 } == ["AB-CD https://x.test/d"])
        // Then the refresh token is revoked, and the user refuses.
        clock.advance(by: .seconds(61))
        let refusal = try await refusedThing()
        #expect(refusal.code == .accessDenied)
        #expect(prompts.withLock { $0.count } == 2)
    }

    /// Lets a device ask for tokens for some seconds.
    ///
    /// - Parameters:
    ///   - seconds: How long its code is good.
    ///   - prompt: What happens as it shows the code to its user.
    /// - Returns: The device's authentication.
    private func device(
        for seconds: Int,
        prompt: @escaping @Sendable () async -> Void = {}
    ) -> BearerAuthentication {
        answerDevices(
            #"""
            {"device_code":"d1","user_code":"A","verification_uri":"https://x.test/d",
            "expires_in":\#(seconds)}
            """#
        )
        return BearerAuthentication(
            oauth: .deviceCode(
                deviceURL: server.url("/device"),
                tokenURL: tokenURL,
                clientID: "tv",
                prompt: { _, _ in await prompt() }
            )
        )
    }

    @Test("of a device have a new identity after another sign-in, which may be another user's")
    func anotherSignIn() async throws {
        answer(
            .token("a1", for: 60, refresh: "r1"),
            .token("a2", for: 60, refresh: "r2"),
            .error("invalid_grant"),
            .token("b1", for: 60)
        )
        let authentication = device(for: 600)
        endpoint.authentication = authentication
        var identities = [authentication.identity]
        for _ in 0..<3 {
            #expect(try await thing() == "yours")
            identities.append(authentication.identity)
            clock.advance(by: .seconds(61))
        }
        #expect(forms("/device").count == 2)
        #expect(identities[1] == identities[0] && identities[2] == identities[0])
        #expect(identities[3] != identities[0])
    }

    @Test("of a device come from servers with errors in a 200, numbers as text, and old names")
    func looseServer() async throws {
        answerDevices(
            #"""
            {"device_code":"d1","user_code":"AB-CD","verification_url":"https://x.test/d",
            "expires_in":"600","interval":0}
            """#
        )
        let pending = Answer.json(#"{"error":"authorization_pending","error_uri":null}"#)
        answer(
            pending,
            pending,
            .token("a1", for: 60, refresh: "r1"),
            .json(#"{"error":"invalid_grant"}"#),
            .json(#"{"error":"access_denied"}"#)
        )
        let pages = Locked<[URL]>([])
        endpoint.authentication = BearerAuthentication(
            oauth: .deviceCode(
                deviceURL: server.url("/device"),
                tokenURL: tokenURL,
                clientID: "tv",
                clientSecret: "s"
            ) { _, page in
                pages.withLock { $0.append(page) }
            }
        )
        #expect(try await thing() == "yours")
        #expect(pages.withLock { $0.map(\.absoluteString) } == ["https://x.test/d"])
        #expect(clock.skippedDelays == [.seconds(1), .seconds(1), .seconds(1)])
        let authorization = "Basic \(Data("tv:s".utf8).base64EncodedString())"
        let requests = server.requests.filter { $0.path != "/thing" }
        #expect(requests.allSatisfy { $0.header("Authorization") == authorization })
        // The refresh token is refused in a 200, and so is the user's next sign-in.
        clock.advance(by: .seconds(61))
        let refusal = try await refusedThing()
        #expect(refusal.code == .accessDenied)
        #expect(pages.withLock { $0.count } == 2)
    }

    @Test("of a device wait five seconds if the server's number is none", arguments: ["nan", "x"])
    func noNumber(interval: String) async throws {
        let page = #""user_code":"A","verification_uri":"https://x.test/d""#
        answerDevices(
            #"{"device_code":"d1",\#(page),"expires_in":"inf","interval":"\#(interval)"}"#
        )
        answer(.json(#"{"access_token":"a1","token_type":"Bearer","expires_in":"nan"}"#))
        endpoint.authentication = BearerAuthentication(
            oauth: .deviceCode(
                deviceURL: server.url("/device"),
                tokenURL: tokenURL,
                clientID: "tv"
            ) { _, _ in }
        )
        #expect(try await thing() == "yours")
        #expect(clock.skippedDelays == [.seconds(5)])
    }

    @Test("of a device are asked for half as often after each response that may be temporary")
    func overloadedServer() async throws {
        let overloaded = Answer(status: .serviceUnavailable, json: "{}")
        answer(.error("authorization_pending"), overloaded, overloaded, .token("a1", for: 60))
        endpoint.authentication = device(for: 600)
        #expect(try await thing() == "yours")
        #expect(clock.skippedDelays == [5, 5, 10, 20].map { .seconds($0) })
    }

    @Test("of a device that nobody confirms end with the device code")
    func deviceExpiry() async throws {
        server.route("POST", "/token") { _ in
            .json(text: #"{"error":"authorization_pending"}"#, status: 400)
        }
        endpoint.authentication = device(for: 21)
        #expect(try await expiredThing().code == .expiredToken)
        #expect(forms().count == 5)
    }

    @Test("of a device end with the device code, too, if the server says so earlier")
    func deviceExpiryOfServer() async throws {
        answer(.error("authorization_pending"), .error("expired_token", "too late"))
        endpoint.authentication = device(for: 600)
        let error = try await expiredThing()
        #expect(error.code == .expiredToken && error.details == "too late")
        #expect(forms().count == 2)
    }

    /// Asks for a thing whose device code expires.
    private func expiredThing() async throws -> OAuthError {
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        let failure = try #require(error)
        guard case .interceptor(let expiry as OAuthError) = failure else { throw failure }
        return expiry
    }

    @Test("of a device are no longer asked for once the endpoint is stopped")
    func stoppedDevice() async throws {
        let clock = ManualClock()
        let endpoint = Endpoint(baseURL: server.baseURL, clock: clock)
        // Between the request of the code and the first one for a token.
        endpoint.authentication = device(for: 600) { [weak endpoint] in
            endpoint?.cancelAllRequests()
        }
        for _ in 0..<2 {
            await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await endpoint.value(for: Thing())
            }
        }
        #expect(forms().isEmpty)
    }

    @Test("of a device end with the endpoint, even while the user sees the code")
    func shutdownWithPrompt() async throws {
        let endpoint = Endpoint(baseURL: server.baseURL, clock: ManualClock())
        let (prompts, prompted) = AsyncStream.makeStream(of: Void.self)
        let (windows, window) = AsyncStream.makeStream(of: Void.self)
        endpoint.authentication = device(for: 600) {
            prompted.yield()
            // A user who doesn't close the window.
            for await _ in windows {}
        }
        let call = Task { try await endpoint.value(for: Thing()) }
        var prompt = prompts.makeAsyncIterator()
        await prompt.next()
        await endpoint.shutdown(deadline: .zero)
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await call.value }
        window.finish()
    }

    @Test("for an assertion ask for a new one each time")
    func assertion() async throws {
        answer(.json(#"{"access_token":"a1","token_type":"Bearer"}"#))
        endpoint.authentication = BearerAuthentication(
            oauth: .jwtBearer(tokenURL: tokenURL, scopes: ["x"]) { "e30.e30.c2ln" }
        )
        #expect(try await thing() == "yours")
        let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        #expect(forms() == ["\(grant)&assertion=e30.e30.c2ln&scope=x"])
        #expect(server.requests.first?.header("Authorization") == nil)
    }

    @Test("and secrets are in no log")
    func logs() async throws {
        struct Lines: NetworkLogger {
            let lines = Locked("")
            func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
                let line = message()
                lines.withLock { $0 += line + "\n" }
            }
        }
        let logger = Lines()
        endpoint.logger = logger
        answer(
            .json(#"{"access_token":"SECRET1","token_type":"Bearer","refresh_token":"SECRET2"}"#),
            .error("invalid_grant", "unknown token SECRET2")
        )
        endpoint.authentication = BearerAuthentication(
            oauth: .refreshToken(
                "SECRET0",
                tokenURL: tokenURL,
                clientID: "app",
                clientSecret: "SECRET4"
            ) { _ in }
        )
        #expect(try await thing() == "yours")
        valid.withLock { $0 = [] }
        await #expect(throws: (any Error).self) { try await thing() }
        #expect(forms().count == 2)
        let text = logger.lines.withLock { $0 }
        #expect(text.contains("/token"))
        #expect(!text.contains("SECRET"), "\(text)")
    }
}
