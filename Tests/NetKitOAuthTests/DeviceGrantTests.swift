import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKitOAuth

/// Tokens for a user who signs in on another device.
extension OAuthTests {
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

    @Test(
        "of a device are asked for by another sign-in after any code for a dead refresh token",
        arguments: [
            ("bad_refresh_token", 200), ("BAD_REFRESH_TOKEN", 400), ("token_revoked", 401),
            ("invalid_grant", 403),
        ] as [(String, HTTPStatus)]
    )
    func deadRefreshToken(code: String, status: HTTPStatus) async throws {
        answer(
            .token("a1", for: 60, refresh: "r1"),
            .error(code, status: status),
            .token("b1", for: 60, refresh: "r2"),
            .token("b2", for: 60)
        )
        endpoint.authentication = device(for: 600)
        for _ in 0..<3 {
            #expect(try await thing() == "yours")
            clock.advance(by: .seconds(61))
        }
        #expect(forms("/device").count == 2)
        #expect(forms().last == "grant_type=refresh_token&refresh_token=r2&client_id=tv")
    }

    @Test(
        "keep their refresh token after an error that doesn't concern it",
        arguments: [
            ("invalid_client", 401), ("unauthorized_client", 400), ("invalid_request", 400),
            ("unsupported_grant_type", 400), ("invalid_scope", 400), ("invalid_target", 400),
            ("server_error", 400), ("temporarily_unavailable", 200), ("slow_down", 400),
            ("incorrect_client_credentials", 200), ("internal_error", 200),
            ("Service Unavailable", 503), ("too_many_requests", 429), ("Not Found", 404),
        ] as [(String, HTTPStatus)]
    )
    func livingRefreshToken(code: String, status: HTTPStatus) async throws {
        answer(
            .token("a1", for: 60, refresh: "r1"),
            .error(code, status: status),
            .token("a2", for: 60)
        )
        endpoint.authentication = device(for: 600)
        #expect(try await thing() == "yours")
        clock.advance(by: .seconds(61))
        let failure = try await failedThing()
        #expect(failure.serverError?.code == OAuthError.Code(rawValue: code))
        #expect(!failure.requiresSignIn)
        #expect(try await thing() == "yours")
        #expect(forms("/device").count == 1)
        let form = "grant_type=refresh_token&refresh_token=r1&client_id=tv"
        #expect(forms().suffix(2) == [form, form])
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
        #expect(forms("/device") == ["client_id=tv"])
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
        answer(
            .error("authorization_pending"),
            Answer(status: .serviceUnavailable, json: "{}"),
            .error("Too Many Requests", status: .tooManyRequests),
            .token("a1", for: 60)
        )
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
}
