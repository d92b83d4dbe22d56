import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKitOAuth

/// An authorization server and a server with things that need its tokens, in one.
@Suite("OAuth tokens", .timeLimit(.minutes(15)))
struct OAuthTests {
    struct Thing: Request {
        typealias ResponseObjectType = String
        let path = "thing"
    }

    let server: MockServer
    let clock = ManualClock(skippingDelays: true)
    let endpoint: Endpoint
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

    struct Answer: Sendable {
        let status: HTTPStatus
        let json: String

        static func json(_ json: String) -> Answer { Answer(status: .ok, json: json) }

        static func token(_ token: String, for seconds: Int, refresh: String? = nil) -> Answer {
            let rotated = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
            return json(
                #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":\#(seconds)\#(rotated)}"#
            )
        }

        static func error(
            _ code: String,
            _ text: String = "",
            status: HTTPStatus = .badRequest
        ) -> Answer {
            Answer(
                status: status,
                json: #"{"error":"\#(code)","error_description":"\#(text)"}"#
            )
        }
    }

    var tokenURL: URL { server.url("/token") }

    /// Answers no first token request, and all others with a token that is valid.
    private func stallFirstTokenRequest() {
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
    }

    /// Answers each token request with the next of these, `access_token`s of which are valid from then on.
    func answer(_ answers: Answer...) {
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

    func forms(_ path: String = "/token") -> [String] {
        server.requests.filter { $0.path == path }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    func thing() async throws -> String { try await endpoint.value(for: Thing()) }

    /// Asks for a thing whose token can't be had.
    func failedThing() async throws -> ErrorResponse<OAuthError> {
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        let failure = try #require(error)
        guard case .interceptor(let refresh as ErrorResponse<OAuthError>) = failure else {
            throw failure
        }
        return refresh
    }

    /// Asks for a thing whose token the authorization server refuses.
    func refusedThing() async throws -> OAuthError {
        try #require(try await failedThing().serverError)
    }

    /// Answers each request of a device code with this JSON.
    func answerDevices(_ json: String) {
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
        let failure = try await failedThing()
        #expect(failure.serverError?.code == .invalidGrant)
        #expect(failure.serverError?.details == "revoked")
        #expect(failure.requiresSignIn)
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
        stallFirstTokenRequest()
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

    @Test("that a stopped endpoint alone asked for are asked for no second time")
    func stoppedAlone() async throws {
        stallFirstTokenRequest()
        let source = OAuthTokenSource.clientCredentials(
            tokenURL: tokenURL,
            clientID: "c",
            clientSecret: "s"
        )
        let token = Task { [endpoint] in try await source.token(by: endpoint) }
        _ = try await server.waitForRequests(1)
        endpoint.cancelAllRequests()
        await #expect(throws: (any Error).self) { try await token.value }
        #expect(server.requests.count == 1)
    }

    @Test("that are empty, or none, are no tokens")
    func emptyToken() async throws {
        answer(
            .json(#"{"token_type":"bearer"}"#),
            .json(#"{"access_token":"","token_type":"bearer"}"#)
        )
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(tokenURL: tokenURL, clientID: "c", clientSecret: "s")
        )
        for _ in 0..<2 {
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await thing() }
        }
        #expect(server.requests.map(\.path) == ["/token", "/token"])
    }

    @Test(
        "count as bearer tokens without a type, or with one of a server's own",
        arguments: ["", #","token_type":null"#, #","token_type":"""#, #","token_type":"bot""#]
    )
    func looseType(type: String) async throws {
        answer(.json(#"{"access_token":"a1"\#(type)}"#))
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(tokenURL: tokenURL, clientID: "c", clientSecret: "s")
        )
        #expect(try await thing() == "yours")
    }

    @Test(
        "of a type that needs more than the token fail the call with its name",
        arguments: ["mac", "DPoP", "PoP", "N_A"]
    )
    func otherType(type: String) async throws {
        answer(.json(#"{"access_token":"a1","token_type":"\#(type)"}"#))
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(tokenURL: tokenURL, clientID: "c", clientSecret: "s")
        )
        let failure = try await failedThing()
        let words =
            "the token_type is \"\(type.lowercased())\", and only bearer tokens are supported"
        #expect(failure.message.hasSuffix(words), "\(failure.message)")
        #expect("\(failure)".hasSuffix(words), "\(failure)")
        #expect(!failure.requiresSignIn)
        #expect(server.requests.map(\.path) == ["/token"])
    }

    /// The sources, each with a secret in the form if it can have one.
    private func sources(
        _ parameters: KeyValuePairs<String, String>
    ) -> [OAuthTokenSource] {
        answerDevices(
            #"""
            {"device_code":"d1","user_code":"A","verification_uri":"https://x.test/d",
            "expires_in":600}
            """#
        )
        return [
            .clientCredentials(
                tokenURL: tokenURL,
                clientID: "a b",
                clientSecret: "s/é",
                clientAuthentication: .post,
                scopes: ["x"],
                parameters: parameters
            ),
            .refreshToken(
                "r1",
                tokenURL: tokenURL,
                clientID: "a b",
                clientSecret: "s/é",
                clientAuthentication: .post,
                scopes: ["x"],
                parameters: parameters,
                store: { _ in }
            ),
            .deviceCode(
                deviceURL: server.url("/device"),
                tokenURL: tokenURL,
                clientID: "a b",
                clientSecret: "s/é",
                clientAuthentication: .post,
                scopes: ["x"],
                parameters: parameters,
                prompt: { _, _ in }
            ),
            .jwtBearer(tokenURL: tokenURL, parameters: parameters) { "e30.e30.c2ln" },
        ]
    }

    @Test("are requested with the secret in the form, and with a server's own parameters")
    func post() async throws {
        let token = Answer.token("a1", for: 60, refresh: "r1")
        answer(token, token, token, token, token)
        let resources: KeyValuePairs = [
            "resource": "https://b.test", "audience": "é", "resource": "https://a.test",
        ]
        for (index, source) in sources(resources).enumerated() {
            endpoint.authentication = BearerAuthentication(oauth: source)
            #expect(try await thing() == "yours")
            guard index == 2 else { continue }
            // The refresh token of the device.
            clock.advance(by: .seconds(61))
            #expect(try await thing() == "yours")
        }
        let urn = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type"
        let extra = "resource=https%3A%2F%2Fb.test&audience=%C3%A9&resource=https%3A%2F%2Fa.test"
        let client = "client_id=a+b&client_secret=s%2F%C3%A9"
        #expect(
            forms() == [
                "grant_type=client_credentials&scope=x&\(extra)&\(client)",
                "grant_type=refresh_token&refresh_token=r1&scope=x&\(extra)&\(client)",
                "grant_type=\(urn)%3Adevice_code&device_code=d1&\(extra)&\(client)",
                "grant_type=refresh_token&refresh_token=r1&\(extra)&\(client)",
                "grant_type=\(urn)%3Ajwt-bearer&assertion=e30.e30.c2ln&\(extra)",
            ]
        )
        #expect(forms("/device") == ["scope=x&\(extra)&\(client)"])
        let requests = server.requests.filter { $0.path != "/thing" }
        #expect(requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test(
        "are not requested with a parameter that the source sets itself, or without a name",
        arguments: [
            "grant_type", "client_id", "client_secret", "refresh_token", "device_code", "assertion",
            "scope", "",
        ]
    )
    func ownParameter(name: String) async throws {
        // An assertion may come with the client's.
        let isOfClient = name.hasPrefix("client_")
        for source in sources(["audience": "x", name: "SECRET"]).dropLast(isOfClient ? 1 : 0) {
            endpoint.authentication = BearerAuthentication(oauth: source)
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await thing()
            }
            guard case .invalidRequest(let refusal)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(refusal.reason == .unencodableBody(name))
            let words =
                name.isEmpty
                ? "body: a parameter has no name"
                : "body at \"\(name)\": the token source sets this parameter itself"
            #expect("\(refusal)".hasSuffix(words), "\(refusal)")
        }
        #expect(server.requests.isEmpty)
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
        let source = OAuthTokenSource.clientCredentials(
            tokenURL: tokenURL,
            clientID: "app",
            clientSecret: "SECRET5",
            clientAuthentication: .post,
            parameters: ["audience": "SECRET6", "client_secret": "SECRET7"]
        )
        var dumped = "\(source)"
        dump(source, to: &dumped)
        #expect(!dumped.contains("SECRET"), "\(dumped)")
        endpoint.authentication = BearerAuthentication(oauth: source)
        await #expect(throws: (any Error).self) { try await thing() }
        endpoint.authentication = BearerAuthentication(
            oauth: .clientCredentials(
                tokenURL: tokenURL,
                clientID: "app",
                clientSecret: "SECRET5",
                clientAuthentication: .post,
                parameters: ["audience": "SECRET6"]
            )
        )
        answer(.token("SECRET8", for: 60))
        #expect(try await thing() == "yours")
        #expect(forms().last?.contains("audience=SECRET6") == true)
        let text = logger.lines.withLock { $0 }
        #expect(text.contains("/token"))
        #expect(!text.contains("SECRET"), "\(text)")
    }
}
