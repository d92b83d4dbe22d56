import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitSupport
import NetKitCache
@testable import NetKitHAR

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("HTTP cache", .timeLimit(.minutes(15)))
struct CacheScenarios: CacheSuite {
    let setting: CacheSetting

    init() throws {
        setting = try CacheSetting()
    }

    @Test("serves a fresh response without a request", arguments: CallStyle.allCases)
    func hit(style: CallStyle) async throws {
        setting.serve("max-age=60", [("ETag", "\"a\"")])
        for _ in 0..<2 { #expect(await style.outcome(of: CachedText(), on: endpoint).value == "1") }
        setting.clock.advance(by: .seconds(30))
        let response = try await setting.response()
        #expect(response.cacheOutcome == .hit)
        #expect(response.attempts == 0)
        #expect(response.http.headers[.age].flatMap { Int($0) }.map { $0 >= 30 } == true)
        #expect(response.http.headers[.eTag] == "\"a\"")
        // The server sends none (RFC 9110, section 6.6.1).
        #expect(response.http.headers[.date].flatMap { HTTPDate.parse($0) } != nil)
        #expect(server.requests.count == 1)
        #expect(cache.statistics.hits == 2)
        #expect(cache.statistics.misses == 1)
        #expect(cache.statistics.stored == 1)
        #expect(cache.statistics.bytes > 0)
    }

    @Test("is bypassed without a cache or with the no-store policy")
    func noCache() async throws {
        setting.serve("max-age=60")
        endpoint.cache = nil
        #expect(try await setting.get() == "1 none")
        #expect(try await setting.get() == "2 none")
        endpoint.cache = cache
        #expect(try await setting.get(CachedText(cachePolicy: .noStore)) == "3 none")
        #expect(try await setting.get() == "4 miss")
        #expect(try await setting.get(CachedText(cachePolicy: .noStore)) == "5 none")
        #expect(try await setting.get() == "4 hit")
    }

    @Test("revalidates a stale response and merges the new header fields")
    func revalidation() async throws {
        setting.serve("max-age=60", [("ETag", "\"a\""), ("X-Kept", "1")])
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(61))
        let confirmed = try await setting.response()
        #expect(confirmed.value == "1")
        #expect(confirmed.cacheOutcome == .revalidated)
        #expect(confirmed.http.status == 200)
        #expect(confirmed.attempts == 1)
        #expect(server.requests.last?.headers(named: "If-None-Match") == ["\"a\""])
        #expect(try await setting.get() == "1 hit")
        #expect(cache.statistics.revalidations == 1)
    }

    @Test("dates a 304 without a Date field by its arrival")
    func dateOfConfirmation() async throws {
        let date = try #require(HTTPDate.text(of: Date()))
        server.route(nil, "/text") { request in
            let isValid = !request.headers(named: "If-None-Match").isEmpty
            let answer = isValid ? MockResponse.status(304) : .text("1").header("Date", date)
            return answer.header("Cache-Control", "max-age=60").header("ETag", "\"a\"")
        }
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(100))
        #expect(try await setting.get() == "1 revalidated")
        #expect(try await setting.get() == "1 hit")
    }

    @Test("serves a response once when its 304 says no-store, then removes it")
    func forbiddenByConfirmation() async throws {
        server.route(nil, "/text") { request in
            let isValid = !request.headers(named: "If-None-Match").isEmpty
            return isValid
                ? MockResponse.status(304).header("Cache-Control", "no-store")
                : .text("1").header("Cache-Control", "max-age=60").header("ETag", "\"a\"")
        }
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(61))
        #expect(try await setting.get() == "1 revalidated")
        #expect(try await setting.get() == "1 miss")
    }

    @Test(
        "doesn't serve a response again after a newer one that isn't stored",
        arguments: [200, 404, 410]
    )
    func replacedByUnstored(status: Int) async throws {
        setting.route("/text") { number, _ in
            let answer = MockResponse.text("\(number)", status: number == 2 ? status : 200)
            return answer.header("Cache-Control", number == 2 ? "no-store" : "max-age=60")
        }
        #expect(try await setting.get() == "1 miss")
        #expect(try await setting.get() == "1 hit")
        _ = try? await setting.get(CachedText(cachePolicy: .reload))
        #expect(try await setting.get() == "3 miss")
    }

    @Test("doesn't serve a response that ends after a newer one")
    func overtaken() async throws {
        let gate = DispatchSemaphore(value: 0)
        server.route(nil, "/text") { request in
            let isSlow = request.header("X-Slow") != nil
            if isSlow { gate.wait() }
            return .text(isSlow ? "old" : "new").header("Cache-Control", "max-age=60")
        }
        let slow = Task { try await setting.get(CachedText(headers: ["X-Slow": "1"])) }
        try await server.waitForRequests(1)
        setting.clock.advance(by: .seconds(1))
        #expect(try await setting.get(CachedText(cachePolicy: .reload)) == "new miss")
        setting.clock.advance(by: .seconds(1))
        gate.signal()
        #expect(try await slow.value == "old miss")
        #expect(try await setting.get() == "new hit")
    }

    @Test("keeps a response that was validated after the request of one that ends later")
    func overtakenByValidation() async throws {
        let gate = DispatchSemaphore(value: 0)
        server.route(nil, "/text") { request in
            if request.header("X-Slow") != nil { gate.wait() }
            let isValid = request.header("If-None-Match") != nil
            return (isValid ? MockResponse.status(304) : .text("text"))
                .header("Cache-Control", "max-age=60").header("ETag", "\"1\"")
        }
        #expect(try await setting.get() == "text miss")
        let slow = Task {
            try await setting.get(CachedText(cachePolicy: .reload, headers: ["X-Slow": "1"]))
        }
        try await server.waitForRequests(2)
        setting.clock.advance(by: .seconds(1))
        #expect(try await setting.get(CachedText(cachePolicy: .revalidate)) == "text revalidated")
        setting.clock.advance(by: .seconds(1))
        gate.signal()
        #expect(try await slow.value == "text miss")
        #expect(try await setting.get() == "text hit")
    }

    @Test("limits a stored body by the settings with which the call began")
    func changedLimit() async throws {
        setting.serve("max-age=60")
        #expect(try await setting.get() == "1 miss")
        endpoint.interceptors = [
            ClosureInterceptor { [weak endpoint = self.endpoint] request, next in
                endpoint?.maximumResponseSize = 0
                return try await next(request)
            }
        ]
        #expect(try await setting.get() == "1 hit")
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await setting.get() }
    }

    @Test("is invalidated by an unsafe request whose response is cut off")
    func invalidationByHead() async throws {
        setting.serve("max-age=60")
        server.route("POST", "/text") { _ in .text("12345").cutting(afterBodyBytes: 2) }
        #expect(try await setting.get() == "1 miss")
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await setting.get(CachedText(method: .post))
        }
        #expect(try await setting.get() == "2 miss")
    }

    @Test("is invalidated by the head of an unsafe request whose response is read as a stream")
    func invalidationByStream() async throws {
        setting.serve("max-age=60")
        server.route("POST", "/text") { _ in .text("12").stalling(afterBodyBytes: 1) }
        #expect(try await setting.get() == "1 miss")
        let stream = try await endpoint.stream(CachedText(method: .post))
        #expect(try await setting.get() == "2 miss")
        withExtendedLifetime(stream) {}
    }

    @Test("answers with the fields of a 304 that no-cache names", arguments: [true, false])
    func validatedFields(repeatsControl: Bool) async throws {
        setting.route("/text") { number, _ in
            let answer = (number == 1 ? MockResponse.text("1") : .status(304))
                .header("ETag", "\"1\"").header("X-Token", "\(number)")
            guard number == 1 || repeatsControl else { return answer }
            return answer.header("Cache-Control", #"no-cache="X-Token", max-age=0"#)
        }
        for (number, outcome) in [CacheOutcome.miss, .revalidated, .revalidated].enumerated() {
            let response = try await setting.response()
            #expect(response.cacheOutcome == outcome)
            #expect(response.http.headers["X-Token"] == "\(number + 1)")
        }
    }

    @Test("follows the request's cache policy")
    func policies() async throws {
        setting.serve("max-age=60", [("ETag", "\"a\"")])
        let offline = try await result(.onlyIfCached)
        #expect(offline.error?.response?.status == 504)
        #expect(server.requests.isEmpty)
        #expect(try await setting.get() == "1 miss")
        #expect(try await setting.get(CachedText(cachePolicy: .revalidate)) == "1 revalidated")
        #expect(server.requests.last?.headers(named: "Cache-Control") == ["max-age=0"])
        #expect(try await setting.get(CachedText(cachePolicy: .reload)) == "3 miss")
        #expect(server.requests.last?.headers(named: "Cache-Control") == ["no-cache"])
        #expect(server.requests.last?.headers(named: "If-None-Match") == [])
        #expect(try await setting.get() == "3 hit")
        setting.clock.advance(by: .seconds(3_600))
        #expect(try await setting.get(CachedText(cachePolicy: .onlyIfCached)) == "3 stale")
        #expect(server.requests.count == 3)
    }

    private func result(_ policy: CachePolicy) async throws -> Outcome<CachedText> {
        await CallStyle.async.outcome(of: CachedText(cachePolicy: policy), on: endpoint)
    }

    @Test("returns an unretried 504 for a request that only a stored response may answer")
    func onlyIfCached() async throws {
        endpoint.cache = nil
        endpoint.retryingCount = 3
        let outcome = try await result(.onlyIfCached)
        #expect(outcome.error?.response?.status == 504)
        #expect(server.requests.isEmpty)
        #expect(setting.clock.skippedDelays.isEmpty)
        endpoint.cache = cache
        for field in [[:], ["Range": "bytes=0-1"], [.ifNoneMatch: "\"a\""]] as [HTTPHeaders] {
            let headers = field.merging([.cacheControl: "only-if-cached"])
            let request = CachedText(headers: headers)
            let outcome = await CallStyle.async.outcome(of: request, on: endpoint)
            #expect(outcome.error?.response?.status == 504)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("passes the request's own validators and their 304 through")
    func ownValidators() async throws {
        setting.serve("max-age=60", [("ETag", "\"a\"")])
        #expect(try await setting.get() == "1 miss")
        let request = CachedText(headers: [.ifNoneMatch: "\"a\""])
        let outcome = await CallStyle.async.outcome(of: request, on: endpoint)
        #expect(outcome.error?.response?.status == .notModified)
        #expect(server.requests.count == 2)
        #expect(try await setting.get() == "1 hit")
    }

    @Test("is invalidated by unsafe methods and by explicit removal")
    func invalidation() async throws {
        setting.serve("max-age=60")
        setting.serve("max-age=60", at: "/other")
        let url = server.url("/text")
        for method in ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"] {
            let before = try await setting.get()
            #expect(
                before == (try await setting.get()).replacingOccurrences(of: "hit", with: "miss")
            )
            _ = try await endpoint.value(
                for: VoidRequest(path: "text", method: HTTPMethod(rawValue: method))
            )
            #expect(try await setting.response().cacheOutcome == .miss)
            cache.remove(url)
        }
        #expect(try await setting.get().hasSuffix("miss"))
        server.route("POST", "/change") { _ in
            .status(201).header("Location", "/text").header("Content-Location", "/other#top")
        }
        #expect(try await setting.get(CachedText(path: "other")) == "1 miss")
        _ = try await endpoint.value(for: VoidRequest(path: "change", method: .post))
        #expect(try await setting.get().hasSuffix("miss"))
        #expect(try await setting.get(CachedText(path: "other")) == "2 miss")
        server.route("POST", "/text") { _ in .status(500) }
        _ = await CallStyle.async.outcome(
            of: VoidRequest(path: "text", method: .post),
            on: endpoint
        )
        #expect(try await setting.get().hasSuffix("hit"))
        cache.removeAll()
        #expect(try await setting.get().hasSuffix("miss"))
    }

    /// Section 4.4 of RFC 9111.
    @Test(
        "isn't invalidated by what another origin says",
        arguments: ["Location", "Content-Location"]
    )
    func otherOrigin(name: String) async throws {
        let other = try MockServer()
        other.route("GET", "/text") { _ in .text("theirs").header("Cache-Control", "max-age=60") }
        let theirs = CachedText(path: other.url("/text").absoluteString)
        server.route("POST", "/change") { _ in .status(201).header(name, theirs.path) }
        #expect(try await setting.get(theirs) == "theirs miss")
        _ = try await endpoint.value(for: VoidRequest(path: "change", method: .post))
        #expect(try await setting.get(theirs) == "theirs hit")
    }

    @Test("serves HEAD from a GET, and updates the entry from HEAD")
    func head() async throws {
        setting.serve("max-age=60", [("ETag", "\"a\"")])
        #expect(try await setting.get() == "1 miss")
        let head = DefaultRequest<Void, ServerMessage>(path: "text", method: .head)
        #expect(try await endpoint.response(for: head).cacheOutcome == .hit)
        setting.clock.advance(by: .seconds(61))
        #expect(try await endpoint.response(for: head).cacheOutcome == .miss)
        #expect(try await setting.get() == "1 hit")
        setting.serve("max-age=60", [("ETag", "\"b\"")])
        setting.clock.advance(by: .seconds(61))
        _ = try await endpoint.value(for: head)
        #expect(try await setting.get() == "2 miss")
    }

    @Test("serves a stale response while it revalidates in the background")
    func staleWhileRevalidate() async throws {
        setting.serve("max-age=60, stale-while-revalidate=600")
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(61))
        #expect(try await setting.get() == "1 stale")
        await eventually { cache.statistics.stored == 2 }
        #expect(try await setting.get() == "2 hit")
        #expect(server.requests.count == 2)
    }

    @Test(
        "stops revalidating in the background when all requests are cancelled, and at the total timeout",
        arguments: [false, true]
    )
    func stoppedRevalidation(isOverdue: Bool) async throws {
        if isOverdue { endpoint.timeouts.total = .seconds(30) }
        setting.serve("max-age=60, stale-while-revalidate=600")
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(61))
        server.route(nil, "/text") { _ in .fault(.stall) }
        #expect(try await setting.get() == "1 stale")
        let request = try #require(try await server.waitForRequests(2).last)
        if isOverdue {
            setting.clock.advance(by: .seconds(30))
        } else {
            endpoint.cancelAllRequests()
        }
        try await server.waitForClientClose(of: request.connectionID)
    }

    @Test("has no response for a token refresh")
    func refresh() async throws {
        setting.serve("max-age=600", at: "/token")
        let valid = Locked("1")
        server.route("GET", "/secret") { request in
            request.header("Authorization") == "Bearer \(valid.withLock { $0 })"
                ? .text("ok").header("Cache-Control", "no-store") : .status(401)
        }
        endpoint.authentication = BearerAuthentication(token: "0") { _, endpoint in
            try await endpoint.value(for: CachedText(path: "token"))
        }
        for number in 1...2 {
            valid.withLock { $0 = "\(number)" }
            #expect(try await setting.response(CachedText(path: "secret")).value == "ok")
        }
        #expect(server.requests.filter { $0.path == "/token" }.count == 2)
    }

    @Test(
        "serves an allowed stale response after all retries fail"
    )
    func staleIfError() async throws {
        endpoint.retryPolicy.maximumRetries = 2
        setting.serve("max-age=60, stale-if-error=600")
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(61))
        server.route(nil, "/text") { _ in .status(503) }
        let response = try await setting.response()
        #expect(response.value == "1")
        #expect(response.cacheOutcome == .stale)
        #expect(response.attempts == 3)
        #expect(response.history.count == 3)
        #expect(server.requests.count == 4)
        server.route(nil, "/text") { _ in .fault(.closeBeforeHead) }
        #expect(try await setting.get() == "1 stale")
        setting.clock.advance(by: .seconds(600))
        #expect(
            await CallStyle.async.outcome(of: CachedText(), on: endpoint).error?.response == nil
        )
    }

    @Test("serves a stale response when the token refresh fails", arguments: [false, true])
    func staleWithoutToken(isOfTransport: Bool) async throws {
        struct NoToken: Error {}
        setting.serve("max-age=60, stale-if-error=600")
        let authentication = BearerAuthentication(token: "1") { _ in
            guard isOfTransport else { throw NoToken() }
            throw TransportError(.malformedResponse)
        }
        endpoint.authentication = authentication
        #expect(try await setting.get() == "1 miss")
        #expect(try await setting.get() == "1 hit")
        setting.clock.advance(by: .seconds(61))
        server.route(nil, "/text") { _ in .status(401) }
        #expect(try await setting.get() == "1 stale")
    }

    @Test("serves no stale response in place of an interceptor's own error or response")
    func staleBehindInterceptor() async throws {
        struct Rejection: Error {}
        setting.serve("max-age=60, stale-if-error=600")
        #expect(try await setting.get() == "1 miss")
        setting.clock.advance(by: .seconds(61))
        server.route(nil, "/text") { _ in .status(503) }
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                _ = try await next(request)
                throw Rejection()
            }
        ]
        #expect(try await result(.standard).error?.underlying is Rejection)
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                _ = try await next(request)
                return HTTPResponse(to: request, status: 418)
            }
        ]
        #expect(try await result(.standard).error?.response?.status == 418)
        endpoint.interceptors = [
            ClosureInterceptor { request, next in try await next(request) }
        ]
        #expect(try await setting.get() == "1 stale")
        // Before anything is sent, as one that signs requests.
        endpoint.interceptors = [ClosureInterceptor(scope: .exchange) { _, _ in throw Rejection() }]
        #expect(try await result(.standard).error?.underlying is Rejection)
    }

    @Test(
        "serves a stale response in place of an outage, and of no other failure",
        arguments: [
            (.connectionLost, true), (.cannotConnect, true), (.cannotFindHost, true),
            (.secureConnection, false), (.malformedResponse, false), (.unsupported, false),
        ] as [(TransportError.Kind, Bool)]
    )
    func staleInPlaceOf(kind: TransportError.Kind, isStale: Bool) async throws {
        let stub = StubTransport()
        let clock = ManualClock()
        let url = try #require(URL(string: "https://a.test"))
        let endpoint = Endpoint(baseURL: url, transport: stub, retryingCount: 0, clock: clock)
        endpoint.cache = .memory()
        stub.on(.get, "/text") { _ in
            .text("1").header("Cache-Control", "max-age=60, stale-if-error=600")
        }
        #expect(try await endpoint.value(for: CachedText()) == "1")
        clock.advance(by: .seconds(61))
        stub.on(.get, "/text") { _ in .failure(kind) }
        let error = await CachedText().execute(on: endpoint).failure
        #expect(error?.kind == (isStale ? nil : .transport(kind)))
    }

    @Test("serves no stale redirect, which wouldn't be followed, in place of an error")
    func staleRedirect() async throws {
        setting.serve("max-age=600")
        setting.route("/old") { number, _ in
            (number == 1 ? MockResponse.redirect(to: "/text", status: 301) : .status(503))
                .header("Cache-Control", "max-age=60, stale-if-error=600")
        }
        #expect(try await setting.get(CachedText(path: "old")) == "1 miss")
        setting.clock.advance(by: .seconds(61))
        let outcome = await CallStyle.async.outcome(of: CachedText(path: "old"), on: endpoint)
        #expect(outcome.error?.kind == .server(503))
    }

    @Test("serves no stale response to a call that is stopped", arguments: [false, true])
    func staleForStopped(isDeadline: Bool) async throws {
        let stub = StubTransport()
        let clock = ManualClock()
        let url = try #require(URL(string: "https://a.test"))
        let endpoint = Endpoint(baseURL: url, transport: stub, clock: clock)
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 1, backoff: .constant(.seconds(5)))
        endpoint.cache = .memory()
        stub.on(.get, "/text") { _ in
            .text("1").header("Cache-Control", "max-age=60, stale-if-error=600")
        }
        #expect(try await endpoint.value(for: CachedText()) == "1")
        clock.advance(by: .seconds(61))
        stub.on(.get, "/text") { _ in .status(503) }
        let operation = CachedText().execute(on: endpoint).onFail { _ in }
        await eventually { !operation.history.isEmpty }
        if isDeadline { operation.deadline(after: .zero) } else { operation.cancel() }
        #expect(await operation.failure?.kind == (isDeadline ? .server(503) : .cancelled))
    }

    @Test("doesn't count calls that it answers for the retry budget")
    func retryBudget() async throws {
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 1, backoff: .none)
        setting.serve("max-age=60")
        server.route(nil, "/failing") { _ in .status(503) }
        for _ in 0..<150 { _ = try await setting.get() }
        for _ in 0..<30 {
            _ = await CallStyle.async.outcome(of: CachedText(path: "failing"), on: endpoint)
        }
        #expect(server.requests.count == 1 + 30 + 20)
    }

    @Test("skips a stored error in a retry")
    func storedErrors() async throws {
        endpoint.retryPolicy.maximumRetries = 1
        setting.route("/text") { number, _ in
            (number == 1 ? MockResponse.status(503) : .text("\(number)"))
                .header("Cache-Control", "max-age=60")
        }
        #expect(try await setting.get() == "2 miss")
        #expect(try await setting.get() == "2 hit")
    }

    @Test("follows stored redirects")
    func redirects() async throws {
        server.route(nil, "/old") { _ in
            .redirect(to: "/text", status: 301).header("Cache-Control", "max-age=600")
        }
        setting.serve("max-age=60")
        #expect(try await setting.get(CachedText(path: "old")) == "1 miss")
        #expect(try await setting.get(CachedText(path: "old")) == "1 hit")
        #expect(server.requests.count == 2)
    }

    @Test("reports its use in logs, measurements, events and HAR files")
    func observation() async throws {
        let lines = LineLogger()
        let (measured, kinds) = (Locked<[String]>([]), Locked<[String]>([]))
        let recorder = HARRecorder()
        endpoint.logger = lines
        let tokens = [
            endpoint.observation.registerMeasurements { measurement in
                guard measurement.scope.name == "call" else { return }
                let value = measurement.dimensions.first { $0.0 == "cache" }?.1
                measured.withLock { $0.append(value ?? "") }
            },
            endpoint.observation.registerEvents { (event: CallEvent) in
                guard case .answeredFromCache(let outcome) = event.kind else { return }
                kinds.withLock { $0.append("\(outcome)") }
            },
            endpoint.observation.registerExchanges { recorder.record($0) },
        ]
        setting.serve("max-age=60", [("ETag", "\"a\"")])
        _ = try await setting.get()
        setting.clock.advance(by: .seconds(7))
        _ = try await setting.get()
        setting.clock.advance(by: .seconds(70))
        _ = try await setting.get()
        withExtendedLifetime(tokens) {}
        #expect(measured.withLock { $0 } == ["miss", "hit", "revalidated"])
        #expect(kinds.withLock { $0 } == ["hit", "revalidated"])
        #expect(lines.lines.contains { $0.contains("from the cache (hit") })
        let entries = recorder.har.entries
        #expect(entries.map { $0.response.status } == [200, 200, 304])
        #expect(entries.map { $0.cache.beforeRequest?.eTag } == [nil, "\"a\"", nil])
        // What is stored wasn't received.
        #expect(entries.map { $0.response.bodySize > 0 } == [true, false, false])
        #expect(entries[1].response.bodySize == 0 && entries[1].response.content.size > 0)
    }
}
