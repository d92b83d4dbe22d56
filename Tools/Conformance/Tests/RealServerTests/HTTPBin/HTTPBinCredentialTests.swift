import Foundation
import NetKit
import NetKitCache
import NetKitCookies
import NetKitDigest
import Testing

@Suite("Credentials and caching with httpbin", .needs(.httpbin), .timeLimit(.minutes(10)))
struct HTTPBinCredentialTests {
    @Test("sends Basic credentials", arguments: Engine.allCases)
    func basic(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let request = UserRequest("basic-auth/reader/open%20sesame")
        let error = try await failure(of: request, on: endpoint)
        #expect(error.statusCode == 401)
        endpoint.authentication = BasicAuthentication(username: "reader", password: "wrong")
        #expect(try await failure(of: request, on: endpoint).statusCode == 401)
        endpoint.authentication = BasicAuthentication(username: "reader", password: "open sesame")
        #expect(try await endpoint.value(for: request).user == "reader")
    }

    @Test(
        "sends Digest credentials",
        arguments: Engine.allCases,
        ["auth/reader/sesame", "auth/reader/sesame/SHA-256", "auth-int/reader/sesame/SHA-256"]
    )
    func digest(engine: Engine, path: String) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        // httpbin asks for its cookie beside the credentials.
        endpoint.cookies = CookieJar()
        let request = UserRequest("digest-auth/\(path)")
        endpoint.authentication = DigestAuthentication(username: "reader", password: "wrong")
        #expect(try await failure(of: request, on: endpoint).statusCode == 401)
        endpoint.authentication = DigestAuthentication(username: "reader", password: "sesame")
        for _ in 0..<3 {
            let user = try await endpoint.value(for: request)
            #expect(user.authenticated)
            #expect(user.user == "reader")
        }
    }

    @Test("are Bearer tokens, refreshed once for many calls", arguments: Engine.allCases)
    func bearer(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let refreshes = AsyncStream<String?>.makeStream()
        endpoint.authentication = BearerAuthentication(token: nil) { token in
            refreshes.continuation.yield(token)
            return "fresh"
        }
        let requests = Array(repeating: UserRequest("bearer"), count: 8)
        for result in await endpoint.values(for: requests) {
            #expect(try result.get().token == "fresh")
        }
        refreshes.continuation.finish()
        #expect(await refreshes.stream.reduce(into: []) { $0.append($1) } == [nil])
    }

    @Test("allow reuse of a fresh response", arguments: Engine.allCases)
    func fresh(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        endpoint.cache = .memory()
        let first = try await endpoint.response(for: TextRequest("cache/600"))
        #expect(first.cacheOutcome == .miss)
        let second = try await endpoint.response(for: TextRequest("cache/600"))
        #expect(second.cacheOutcome == .hit)
        #expect(second.attempts == 0)
        #expect(second.value == first.value)
    }

    // httpbin writes entity tags without quotes.
    @Test("allow validation by entity tag", arguments: Engine.allCases)
    func confirmed(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let matching = TextRequest("etag/abc", headers: [.ifNoneMatch: "\"abc\""])
        #expect(try await failure(of: matching, on: endpoint).statusCode == 304)
        let other = TextRequest("etag/abc", headers: [.ifMatch: "\"other\""])
        #expect(try await failure(of: other, on: endpoint).statusCode == 412)
        endpoint.cache = .memory()
        let first = try await endpoint.response(for: TextRequest("etag/abc"))
        let second = try await endpoint.response(
            for: TextRequest("etag/abc", cachePolicy: .revalidate)
        )
        #expect(second.cacheOutcome == .revalidated)
        #expect(second.value == first.value)
    }
}
