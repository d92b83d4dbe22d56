import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitSupport
import NetKitCookies
import NetKitPaging

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Shared HTTP cache", .timeLimit(.minutes(15)))
struct CacheSharingScenarios: CacheSuite {
    let setting: CacheSetting

    init() throws {
        setting = try CacheSetting()
    }

    @Test("keeps the responses of users separate")
    func users() async throws {
        server.route(nil, "/text") { request in
            .text(request.headers(named: "Authorization").first ?? "nobody")
                .header("Cache-Control", "max-age=60")
        }
        let users = ["alice", "bob"]
            .map { name in
                endpoint.derived {
                    $0.authentication = BearerAuthentication(token: name) { _ in "" }
                }
            }
        for outcome in ["miss", "hit"] {
            #expect(try await setting.get() == "nobody \(outcome)")
            #expect(try await setting.get(on: users[0]) == "Bearer alice \(outcome)")
            #expect(try await setting.get(on: users[1]) == "Bearer bob \(outcome)")
            let own = CachedText(headers: [.authorization: "own"])
            #expect(try await setting.get(own, on: users[0]) == "own \(outcome)")
        }
        #expect(
            try await setting.get(CachedText(isAuthenticated: false), on: users[0]) == "nobody hit"
        )
    }

    @Test(
        "keeps the responses to requests with different redacted fields apart, whatever is shown",
        arguments: [Redaction.secrets, Redaction.none]
    )
    func redactedFields(redaction: Redaction) async throws {
        endpoint.redaction = redaction
        server.route(nil, "/text") { request in
            .text(request.header("X-Customer") ?? "nobody").header("Cache-Control", "max-age=60")
        }
        let own = Redaction(headers: ["X-Customer"])
        for outcome in ["miss", "hit"] {
            for name in ["alice", "bob"] {
                let request = CachedText(headers: ["X-Customer": name], redaction: own)
                #expect(try await setting.get(request) == "\(name) \(outcome)")
            }
        }
    }

    @Test("serves no response of an earlier user after a sign-in")
    func signingIn() async throws {
        server.route(nil, "/text") { request in
            .text(request.headers(named: "Authorization").first ?? "nobody")
                .header("Cache-Control", "max-age=60")
        }
        let authentication = BearerAuthentication(token: "alice") { _ in "" }
        endpoint.authentication = authentication
        #expect(try await setting.get() == "Bearer alice miss")
        #expect(try await setting.get() == "Bearer alice hit")
        authentication.setToken(BearerToken("bob"))
        #expect(try await setting.get() == "Bearer bob miss")
        authentication.setToken(nil)
        #expect(try await setting.get() == "nobody miss")
    }

    @Test("discards responses in flight when it, or another cache of its folder, is emptied")
    func removalUnderWay() async throws {
        let folder = try TemporaryFolder()
        let ofFolder = (try HTTPCache.disk(folder.url), try HTTPCache.disk(folder.url))
        for (storing, emptied) in [(cache, cache), ofFolder] {
            endpoint.cache = storing
            for isAll in [true, false] {
                let gate = Gate()
                server.route(nil, "/text") { _ in
                    gate.wait()
                    return .text("old").header("Cache-Control", "max-age=60")
                }
                server.clearRequests()
                let call = Task { try await setting.get() }
                try await server.waitForRequests(1)
                if isAll { emptied.removeAll() } else { emptied.remove(server.url("/text")) }
                gate.open()
                #expect(try await call.value == "old miss")
                #expect(storing.statistics.stored == 0)
            }
            #expect(try await setting.get() == "old miss")
            #expect(storing.statistics.stored == 1)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("partitions by the jar's cookies, and doesn't replay Set-Cookie")
    func cookies() async throws {
        let jar = CookieJar()
        endpoint.cookies = jar
        server.route(nil, "/text") { request in
            .text(request.headers(named: "Cookie").first ?? "")
                .header("Cache-Control", "max-age=60").header("Vary", "Cookie")
                .header("Set-Cookie", "seen=1; Path=/elsewhere")
        }
        let url = server.url("/text")
        jar.store(["a=1"], from: url)
        #expect(try await setting.get() == "a=1 miss")
        jar.store(["a=1"], from: url)
        let hit = try await setting.response()
        #expect(hit.cacheOutcome == .hit)
        #expect(hit.http.headers[.setCookie] == nil)
        jar.store(["a=2"], from: url)
        #expect(try await setting.get() == "a=2 miss")
        jar.store(["a=1"], from: url)
        #expect(try await setting.get() == "a=1 hit")
    }

    /// Serves `/text` for the user that a session belongs to.
    private func serveSessions(_ control: String, ending: String) {
        server.route(nil, "/text") { request in
            .text(request.header("Cookie") ?? "nobody").header("Cache-Control", control)
        }
        server.route(nil, "/login") { request in
            .text("").header("Set-Cookie", "sid=\(request.query.first?.value ?? ""); Path=/")
        }
        server.route(nil, "/logout") { _ in
            .text("").header("Set-Cookie", "sid=; Path=/; \(ending)")
        }
    }

    @Test(
        "serves no response of an earlier user whose cookie the server removed or replaced",
        arguments: ["Max-Age=0", "Expires=Thu, 01 Jan 1970 00:00:00 GMT", nil],
        ["private, max-age=600", "max-age=600"]
    )
    func serverSessions(ending: String?, control: String) async throws {
        endpoint.cookies = CookieJar()
        serveSessions(control, ending: ending ?? "")
        _ = try await setting.get(CachedText(path: "login?user=alice", method: .post))
        #expect(try await setting.get() == "sid=alice miss")
        #expect(try await setting.get() == "sid=alice hit")
        if ending != nil { _ = try await setting.get(CachedText(path: "logout", method: .post)) }
        _ = try await setting.get(CachedText(path: "login?user=bob", method: .post))
        #expect(try await setting.get() == "sid=bob miss")
        #expect(try await setting.get() == "sid=bob hit")
    }

    @Test(
        "shares responses that aren't private across a cookie that every response changes",
        arguments: [
            ("max-age=600", "hit"), ("public, max-age=600", "hit"),
            ("private, max-age=600", "miss"),
        ]
    )
    func visits(control: String, outcome: String) async throws {
        endpoint.cookies = CookieJar()
        setting.route("/text") { number, _ in
            .text("\(number)").header("Cache-Control", control)
                .header("Set-Cookie", "visits=\(number); Path=/")
        }
        setting.route("/other") { number, _ in
            .text("").header("Set-Cookie", "visits=-\(number); Path=/")
        }
        _ = try await setting.get(CachedText(path: "other"))
        #expect(try await setting.get() == "1 miss")
        _ = try await setting.get(CachedText(path: "other"))
        #expect(try await setting.get() == (outcome == "hit" ? "1 hit" : "2 miss"))
    }

    @Test("keeps responses and cookies of another Host apart")
    func hosts() async throws {
        let jar = CookieJar()
        endpoint.cookies = jar
        server.route(nil, "/text") { request in
            let host = request.header("Host") ?? ""
            return .text("\(host) \(request.header("Cookie") ?? "-")")
                .header("Cache-Control", "max-age=60")
        }
        server.route(nil, "/login") { request in
            .text("").header("Set-Cookie", "sid=\(request.header("Host") ?? ""); Path=/")
        }
        func of(_ host: String, _ path: String = "text") -> CachedText {
            var headers: HTTPHeaders = ["Host": host]
            headers.allowsHostOverride = true
            return CachedText(path: path, headers: headers)
        }
        _ = try await setting.get(of("a.example", "login"))
        #expect(jar.cookies.map(\.domain) == ["a.example"])
        for outcome in ["miss", "hit"] {
            #expect(try await setting.get(of("a.example")) == "a.example sid=a.example \(outcome)")
            #expect(try await setting.get(of("b.example")) == "b.example - \(outcome)")
            let own = server.baseURL.port.map { "127.0.0.1:\($0)" } ?? ""
            #expect(try await setting.get() == "\(own) - \(outcome)")
        }
    }

    /// Signs another user in just before a request is sent.
    private struct Switch: Authentication {
        let isOn = Locked(false)
        let signIn: @Sendable () -> Void

        func authenticate(_ request: inout EncodedRequest) async throws {
            if isOn.withLock({ $0 }) { signIn() }
        }
    }

    @Test(
        "gives no stored response in place of another user's failure",
        arguments: [
            ("private, max-age=0, stale-if-error=600", false),
            ("max-age=0, stale-if-error=600", true),
        ]
    )
    func failure(control: String, endsSession: Bool) async throws {
        let (jar, url) = (CookieJar(), server.url("/text"))
        endpoint.cookies = jar
        jar.store(["sid=alice"], from: url)
        server.route(nil, "/text") { _ in .text("alice").header("Cache-Control", control) }
        let authentication = Switch {
            if endsSession { jar.removeAll() }
            jar.store(["sid=bob"], from: url)
        }
        endpoint.authentication = authentication
        #expect(try await setting.get() == "alice miss")
        server.route(nil, "/text") { _ in .status(503) }
        #expect(try await setting.get() == "alice stale")
        authentication.isOn.withLock { $0 = true }
        let outcome = await CallStyle.async.outcome(of: CachedText(), on: endpoint)
        #expect(outcome.error?.response?.status == 503)
        #expect(server.requests.last?.header("Cookie") == "sid=bob")
    }

    /// An interceptor of each exchange that sends the user of the task.
    private struct TaskUser: Interceptor {
        @TaskLocal static var name: String?
        let field: HTTPHeaderName
        var scope: InterceptorScope { .exchange }

        func intercept(
            _ request: EncodedRequest,
            next: InterceptorNext
        ) async throws -> HTTPResponse {
            guard let name = Self.name else { return try await next(request) }
            var own = request
            own.headers[field] = name
            return try await next(own)
        }
    }

    @Test(
        "stores no response to a credential that an interceptor of the exchange replaced",
        arguments: [HTTPHeaderName.authorization, .cookie, "X-Api-Key"]
    )
    func replacedCredential(field: HTTPHeaderName) async throws {
        server.route(nil, "/text") { request in
            .text(request.header(field.rawName) ?? "nobody").header("Cache-Control", "max-age=60")
        }
        endpoint.authentication = BearerAuthentication(token: "service") { _ in "" }
        let jar = CookieJar()
        jar.store(["theme=dark"], from: server.url("/text"))
        endpoint.cookies = jar
        endpoint.interceptors = [TaskUser(field: field)]
        for name in ["alice", "bob"] {
            let text = try await TaskUser.$name.withValue(name) { try await setting.get() }
            #expect(text == "\(name) miss")
        }
        let own = try await setting.get()
        #expect(own.hasSuffix(" miss") && !own.hasPrefix("bob"))
    }

    @Test(
        "serves the user who signs in no response for a guest",
        arguments: [nil, "Authorization"]
    )
    func guest(vary: String?) async throws {
        server.route(nil, "/text") { request in
            let answer = MockResponse.text(request.header("Authorization") ?? "guest")
                .header("Cache-Control", "max-age=60")
            return vary.map { answer.header("Vary", $0) } ?? answer
        }
        server.route(nil, "/own") { request in
            request.header("Authorization") == nil ? .status(401) : .text("own")
        }
        endpoint.authentication = BearerAuthentication(token: nil) { _ in "ada" }
        #expect(try await setting.get() == "guest miss")
        #expect(try await setting.get() == "guest hit")
        #expect(try await setting.get(CachedText(path: "own")) == "own miss")
        #expect(try await setting.get() == "Bearer ada miss")
    }

    /// An authentication with a field of its own, once there is a key.
    private struct KeyAuthentication: Authentication {
        let key: Locked<String?>

        func authenticate(_ request: inout EncodedRequest) async throws {
            if let key = key.withLock({ $0 }) { request.headers["X-Api-Key"] = key }
        }
    }

    @Test(
        "stores the responses to an authentication with a field of its own",
        arguments: [nil, "Authorization", "X-Api-Key"]
    )
    func ownField(vary: String?) async throws {
        setting.serve("max-age=60", vary.map { [("Vary", $0)] } ?? [])
        endpoint.authentication = KeyAuthentication(key: Locked("k"))
        #expect(try await setting.get() == "1 miss")
        #expect(try await setting.get() == "1 hit")
        endpoint.authentication = KeyAuthentication(key: Locked("k"))
        #expect(try await setting.get() == "2 miss")
    }

    @Test("serves the user of an own authentication no response that varies for a guest")
    func guestOfOwn() async throws {
        setting.serve("max-age=60", [("Vary", "X-Api-Key")])
        let key = Locked<String?>(nil)
        endpoint.authentication = KeyAuthentication(key: key)
        #expect(try await setting.get() == "1 miss")
        key.withLock { $0 = "k" }
        #expect(try await setting.get() == "2 miss")
        #expect(try await setting.get() == "2 hit")
    }

    @Test("uses no stored response that the server confirms for a replaced credential")
    func foreignConfirmation() async throws {
        server.route(nil, "/text") { request in
            let isValid = request.header("If-None-Match") != nil
            return
                (isValid ? MockResponse.status(304) : .text(request.header("X-Api-Key") ?? "own"))
                .header("ETag", "\"1\"").header("Cache-Control", "max-age=0")
        }
        endpoint.interceptors = [TaskUser(field: "X-Api-Key")]
        #expect(try await setting.get() == "own miss")
        let other = try await TaskUser.$name.withValue("alice") { try await setting.get() }
        #expect(other == "alice miss")
        #expect(try await setting.get() == "own revalidated")
    }

    @Test("uses no stored response that the server confirms for another user")
    func confirmation() async throws {
        let jar = CookieJar()
        endpoint.cookies = jar
        jar.store(["sid=alice"], from: server.url("/text"))
        server.route(nil, "/text") { request in
            let isValid = request.header("If-None-Match") != nil
            return (isValid ? MockResponse.status(304) : .text(request.header("Cookie") ?? ""))
                .header("ETag", "\"1\"").header("Cache-Control", "private, max-age=0")
        }
        let url = server.url("/text")
        let authentication = Switch { jar.store(["sid=bob"], from: url) }
        endpoint.authentication = authentication
        #expect(try await setting.get() == "sid=alice miss")
        #expect(try await setting.get() == "sid=alice revalidated")
        authentication.isOn.withLock { $0 = true }
        #expect(try await setting.get() == "sid=bob miss")
        authentication.isOn.withLock { $0 = false }
        jar.store(["sid=alice"], from: server.url("/text"))
        #expect(try await setting.get() == "sid=alice revalidated")
    }

    @Test("sends one request for concurrent misses")
    func collapsing() async throws {
        let gate = Gate()
        server.route(nil, "/text") { _ in
            gate.wait()
            return .text("1").header("Cache-Control", "max-age=60")
        }
        let calls = (0..<20).map { _ in Task { try await setting.get() } }
        await eventually { cache.flights.waiting == 19 }
        gate.open()
        var outcomes: [String: Int] = [:]
        for call in calls { outcomes[try await call.value, default: 0] += 1 }
        #expect(outcomes == ["1 miss": 1, "1 hit": 19])
        #expect(server.requests.count == 1)
    }

    @Test("doesn't let a call wait for the queued request of one with a lower priority")
    func priorities() async throws {
        endpoint.maximumConcurrentRequestsPerHost = 1
        let gate = Gate()
        server.route(nil, "/block") { _ in
            gate.wait()
            return .text("")
        }
        setting.serve("max-age=60")
        setting.serve("max-age=60", at: "/other")
        var calls: [Task<String, any Error>] = []
        for request in [
            CachedText(path: "block"), CachedText(priority: .low), CachedText(path: "other"),
            CachedText(priority: .high), CachedText(priority: .high),
        ] {
            let count = calls.count
            calls.append(Task { try await setting.get(request) })
            await eventually {
                let waiting = endpoint.gate.queued(.call) + cache.flights.waiting
                return server.requests.count == 1 && waiting == count
            }
        }
        gate.open()
        var outcomes: [String] = []
        for call in calls.dropFirst() { outcomes.append(try await call.value) }
        #expect(outcomes == ["2 miss", "1 miss", "1 miss", "1 hit"])
        #expect(server.requests.map(\.path) == ["/block", "/text", "/other", "/text"])
    }

    @Test(
        "sends a reload without waiting for another call's request",
        arguments: [
            CachedText(cachePolicy: .reload), CachedText(headers: [.cacheControl: "no-cache"]),
        ]
    )
    func reload(request: CachedText) async throws {
        let gate = Gate()
        setting.route("/text") { number, _ in
            if number == 1 { gate.wait() }
            return .text("\(number)").header("Cache-Control", "max-age=60")
        }
        let first = Task { try await setting.get() }
        try await server.waitForRequests(1)
        let reload = Task { try await setting.get(request) }
        try await server.waitForRequests(2)
        #expect(try await reload.value == "2 miss")
        gate.open()
        #expect(try await first.value == "1 miss")
    }

    @Test("coalesces only calls with the same cache policy")
    func coalescing() throws {
        struct Shared: Request {
            typealias ResponseObjectType = String
            let path = "text"
            let isCoalesced = true
        }
        let encoded = EncodedRequest(url: server.url("/text"), method: .get)
        let keys = [CachePolicy.standard, .reload, .standard]
            .map {
                Coalescer.Key(
                    Shared(),
                    encoded,
                    $0,
                    CallControl(clock: .shared),
                    on: endpoint,
                    endpoint.settings
                )
            }
        #expect(keys[0] == keys[2])
        #expect(keys[0] != keys[1])
    }

    @Test("is bypassed by polling")
    func polling() async throws {
        setting.route("/text") { number, _ in
            (number < 3 ? MockResponse.status(202) : .text("\(number)"))
                .header("Cache-Control", "max-age=60")
        }
        let response = try await endpoint.poll(CachedText())
        #expect(response.value == "3")
        #expect(response.cacheOutcome == .miss)
        #expect(try await setting.get() == "3 hit")
    }

    @Test("doesn't wait for a request that waits for the call")
    func ownFlight() async throws {
        setting.serve("max-age=60")
        let isFirst = Locked(true)
        endpoint.interceptors = [
            ClosureInterceptor(scope: .exchange) { [weak endpoint] request, next in
                let isFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isFirst { _ = try await endpoint?.value(for: CachedText()) }
                return try await next(request)
            }
        ]
        // The clock stands still, so no idle timeout ends a wait.
        #expect(try await setting.get() == "2 miss")
        #expect(cache.flights.waiting == 0)
    }

    @Test("promotes a waiting call when the first call is cancelled")
    func leaderCancelled() async throws {
        let gate = Gate()
        server.route(nil, "/text") { _ in
            gate.wait()
            return .text("1").header("Cache-Control", "max-age=60")
        }
        let first = CachedText().execute(on: endpoint)
        try await server.waitForRequests(1)
        let calls = (0..<5).map { _ in Task { try await setting.get() } }
        await eventually { cache.flights.waiting == 5 }
        first.cancel()
        #expect(await outcome(of: first).error?.isCancellation == true)
        gate.open()
        var outcomes: [String: Int] = [:]
        for call in calls { outcomes[try await call.value, default: 0] += 1 }
        #expect(outcomes == ["1 miss": 1, "1 hit": 4])
        #expect(server.requests.count == 2)
    }

    @Test("releases waiting calls at the head of an unstorable response")
    func unstorableHead() async throws {
        let body = Data(repeating: 1, count: 9)
        server.route(nil, "/text") { _ in
            .chunked([body, body], every: .zero).header("Cache-Control", "no-store")
                .stalling(afterBodyBytes: 3)
        }
        let calls = (0..<3).map { _ in CachedText().execute(on: endpoint) }
        for call in calls { call.onSuccess { _ in } }
        // All three are sent, although the first response never ends.
        try await server.waitForRequests(3)
        for call in calls { call.cancel() }
        for call in calls { #expect(await outcome(of: call).error?.isCancellation == true) }
    }
}

/// Holds up the answers of a server until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}
