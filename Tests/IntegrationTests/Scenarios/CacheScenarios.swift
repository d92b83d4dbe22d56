import Foundation
import NetKitTesting
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A text that says how a cache is used for it.
private struct CachedText: Request {
    typealias ResponseObjectType = String
    var path = "text"
    var method = HTTPMethod.get
    var cachePolicy = CachePolicy.standard
    var headers: HTTPHeaders = [:]
    var isAuthenticated = true
}

@Suite("A cache", .timeLimit(.minutes(15)))
struct CacheScenarios {
    private let server: MockServer
    private let endpoint: Endpoint
    private let clock = ManualClock(skippingDelays: true)
    private let cache = HTTPCache.memory()

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 0,
            clock: clock
        )
        endpoint.cache = cache
    }

    /// Answers with the number of the request, as `control` says.
    private func serve(
        _ control: String,
        at path: String = "/text",
        _ fields: [(String, String)] = []
    ) {
        let count = Locked(0)
        server.route(nil, path) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let tag = fields.first { $0.0 == "ETag" }?.1
            let isValid = tag != nil && request.headers(named: "If-None-Match").first == tag
            let answer = isValid ? MockResponse.status(304) : .text("\(number)")
            return fields.reduce(answer.header("Cache-Control", control)) { $0.header($1.0, $1.1) }
        }
    }

    private func response(
        _ request: CachedText = CachedText(),
        on other: Endpoint? = nil
    ) async throws -> Response<String> {
        try await (other ?? endpoint).response(for: request)
    }

    private func get(
        _ request: CachedText = CachedText(),
        on other: Endpoint? = nil
    ) async throws -> String {
        let response = try await response(request, on: other)
        return "\(response.value) \(response.cacheOutcome)"
    }

    @Test("answers with a fresh response without a request", arguments: CallStyle.allCases)
    func hit(style: CallStyle) async throws {
        serve("max-age=60", [("ETag", "\"a\"")])
        for _ in 0..<2 { #expect(await style.outcome(of: CachedText(), on: endpoint).value == "1") }
        clock.advance(by: .seconds(30))
        let response = try await response()
        #expect(response.cacheOutcome == .hit)
        #expect(response.attempts == 0)
        #expect(response.http.headers[.age].flatMap { Int($0) }.map { $0 >= 30 } == true)
        #expect(response.http.headers[.eTag] == "\"a\"")
        #expect(server.requests.count == 1)
        #expect(cache.statistics.hits == 2)
        #expect(cache.statistics.misses == 1)
        #expect(cache.statistics.stored == 1)
        #expect(cache.statistics.bytes > 0)
    }

    @Test("is not used without one, or by a request that says so")
    func noCache() async throws {
        serve("max-age=60")
        endpoint.cache = nil
        #expect(try await get() == "1 none")
        #expect(try await get() == "2 none")
        endpoint.cache = cache
        #expect(try await get(CachedText(cachePolicy: .noStore)) == "3 none")
        #expect(try await get() == "4 miss")
        #expect(try await get(CachedText(cachePolicy: .noStore)) == "5 none")
        #expect(try await get() == "4 hit")
    }

    @Test("has a stale response confirmed by the server, and keeps the newer fields")
    func revalidation() async throws {
        serve("max-age=60", [("ETag", "\"a\""), ("X-Kept", "1")])
        #expect(try await get() == "1 miss")
        clock.advance(by: .seconds(61))
        let confirmed = try await response()
        #expect(confirmed.value == "1")
        #expect(confirmed.cacheOutcome == .revalidated)
        #expect(confirmed.http.status == 200)
        #expect(confirmed.attempts == 1)
        #expect(server.requests.last?.headers(named: "If-None-Match") == ["\"a\""])
        #expect(try await get() == "1 hit")
        #expect(cache.statistics.revalidations == 1)
    }

    @Test("is asked as the policy says")
    func policies() async throws {
        serve("max-age=60", [("ETag", "\"a\"")])
        let offline = try await result(.onlyIfCached)
        #expect(offline.error?.response?.status == .gatewayTimeout)
        #expect(server.requests.isEmpty)
        #expect(try await get() == "1 miss")
        #expect(try await get(CachedText(cachePolicy: .revalidate)) == "1 revalidated")
        #expect(server.requests.last?.headers(named: "Cache-Control") == ["max-age=0"])
        #expect(try await get(CachedText(cachePolicy: .reload)) == "3 miss")
        #expect(server.requests.last?.headers(named: "Cache-Control") == ["no-cache"])
        #expect(server.requests.last?.headers(named: "If-None-Match") == [])
        #expect(try await get() == "3 hit")
        clock.advance(by: .seconds(3_600))
        #expect(try await get(CachedText(cachePolicy: .onlyIfCached)) == "3 stale")
        #expect(server.requests.count == 3)
    }

    private func result(_ policy: CachePolicy) async throws -> Outcome<CachedText> {
        await CallStyle.async.outcome(of: CachedText(cachePolicy: policy), on: endpoint)
    }

    @Test("answers 504 where nothing may be sent and nothing is stored, which is not retried")
    func onlyIfCached() async throws {
        endpoint.cache = nil
        endpoint.retryingCount = 3
        let outcome = try await result(.onlyIfCached)
        #expect(outcome.error?.response?.status == .gatewayTimeout)
        #expect(server.requests.isEmpty)
        #expect(clock.skippedDelays.isEmpty)
    }

    @Test("passes validators of the request's own through, and their 304")
    func ownValidators() async throws {
        serve("max-age=60", [("ETag", "\"a\"")])
        #expect(try await get() == "1 miss")
        let request = CachedText(headers: [.ifNoneMatch: "\"a\""])
        let outcome = await CallStyle.async.outcome(of: request, on: endpoint)
        #expect(outcome.error?.response?.status == .notModified)
        #expect(server.requests.count == 2)
        #expect(try await get() == "1 hit")
    }

    @Test("is emptied by unsafe requests, and by those who say so")
    func invalidation() async throws {
        serve("max-age=60")
        serve("max-age=60", at: "/other")
        let url = server.url("/text")
        for method in ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"] {
            let before = try await get()
            #expect(before == (try await get()).replacingOccurrences(of: "hit", with: "miss"))
            _ = try await endpoint.value(
                for: VoidRequest(path: "text", method: HTTPMethod(rawValue: method))
            )
            #expect(try await response().cacheOutcome == .miss)
            cache.remove(url)
        }
        #expect(try await get().hasSuffix("miss"))
        server.route("POST", "/change") { _ in
            .status(201).header("Location", "/text").header("Content-Location", "/other#top")
        }
        #expect(try await get(CachedText(path: "other")) == "1 miss")
        _ = try await endpoint.value(for: VoidRequest(path: "change", method: .post))
        #expect(try await get().hasSuffix("miss"))
        #expect(try await get(CachedText(path: "other")) == "2 miss")
        server.route("POST", "/text") { _ in .status(500) }
        _ = await CallStyle.async.outcome(
            of: VoidRequest(path: "text", method: .post),
            on: endpoint
        )
        #expect(try await get().hasSuffix("hit"))
        cache.removeAll()
        #expect(try await get().hasSuffix("miss"))
    }

    @Test("answers HEAD from a GET, and is updated by HEAD")
    func head() async throws {
        serve("max-age=60", [("ETag", "\"a\"")])
        #expect(try await get() == "1 miss")
        let head = DefaultRequest<Void, ServerMessage>(path: "text", method: .head)
        #expect(try await endpoint.response(for: head).cacheOutcome == .hit)
        clock.advance(by: .seconds(61))
        #expect(try await endpoint.response(for: head).cacheOutcome == .miss)
        #expect(try await get() == "1 hit")
        serve("max-age=60", [("ETag", "\"b\"")])
        clock.advance(by: .seconds(61))
        _ = try await endpoint.value(for: head)
        #expect(try await get() == "2 miss")
    }

    @Test("serves a stale response at once while it is validated in the background")
    func staleWhileRevalidate() async throws {
        serve("max-age=60, stale-while-revalidate=600")
        #expect(try await get() == "1 miss")
        clock.advance(by: .seconds(61))
        #expect(try await get() == "1 stale")
        await eventually { cache.statistics.stored == 2 }
        #expect(try await get() == "2 hit")
        #expect(server.requests.count == 2)
    }

    @Test(
        "answers a call that fails after its retries with a stale response, where that is allowed"
    )
    func staleIfError() async throws {
        endpoint.retryPolicy.maximumRetries = 2
        serve("max-age=60, stale-if-error=600")
        #expect(try await get() == "1 miss")
        clock.advance(by: .seconds(61))
        server.route(nil, "/text") { _ in .status(503) }
        let response = try await response()
        #expect(response.value == "1")
        #expect(response.cacheOutcome == .stale)
        #expect(response.attempts == 3)
        #expect(response.history.count == 3)
        #expect(server.requests.count == 4)
        server.route(nil, "/text") { _ in .fault(.closeBeforeHead) }
        #expect(try await get() == "1 stale")
        clock.advance(by: .seconds(600))
        #expect(
            await CallStyle.async.outcome(of: CachedText(), on: endpoint).error?.response == nil
        )
    }

    @Test("answers with a stale response where the token can't be refreshed")
    func staleWithoutToken() async throws {
        struct NoToken: Error {}
        serve("max-age=60, stale-if-error=600")
        let authentication = BearerAuthentication(token: "1") { _ in throw NoToken() }
        endpoint.authentication = authentication
        #expect(try await get() == "1 miss")
        #expect(try await get() == "1 hit")
        clock.advance(by: .seconds(61))
        server.route(nil, "/text") { _ in .status(401) }
        #expect(try await get() == "1 stale")
    }

    @Test("keeps the responses of users apart")
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
            #expect(try await get() == "nobody \(outcome)")
            #expect(try await get(on: users[0]) == "Bearer alice \(outcome)")
            #expect(try await get(on: users[1]) == "Bearer bob \(outcome)")
            let own = CachedText(headers: [.authorization: "own"])
            #expect(try await get(own, on: users[0]) == "own \(outcome)")
        }
        #expect(try await get(CachedText(isAuthenticated: false), on: users[0]) == "nobody hit")
    }

    @Test("stores by the cookies of the jar, and does not replay those of a response")
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
        #expect(try await get() == "a=1 miss")
        jar.removeAll()
        jar.store(["a=1"], from: url)
        let hit = try await response()
        #expect(hit.cacheOutcome == .hit)
        #expect(hit.http.headers[.setCookie] == nil)
        #expect(jar.cookies.map(\.name) == ["a"])
        jar.store(["a=2"], from: url)
        #expect(try await get() == "a=2 miss")
        jar.store(["a=1"], from: url)
        #expect(try await get() == "a=1 hit")
    }

    @Test("sends one request for calls that miss the same response at the same time")
    func collapsing() async throws {
        let gate = Gate()
        server.route(nil, "/text") { _ in
            gate.wait()
            return .text("1").header("Cache-Control", "max-age=60")
        }
        let calls = (0..<20).map { _ in Task { try await get() } }
        await eventually { cache.flights.waiting == 19 }
        gate.open()
        var outcomes: [String: Int] = [:]
        for call in calls { outcomes[try await call.value, default: 0] += 1 }
        #expect(outcomes == ["1 miss": 1, "1 hit": 19])
        #expect(server.requests.count == 1)
    }

    @Test("lets another call send the request when the first is cancelled")
    func leaderCancelled() async throws {
        let gate = Gate()
        server.route(nil, "/text") { _ in
            gate.wait()
            return .text("1").header("Cache-Control", "max-age=60")
        }
        let first = CachedText().execute(on: endpoint)
        try await server.waitForRequests(1)
        let calls = (0..<5).map { _ in Task { try await get() } }
        await eventually { cache.flights.waiting == 5 }
        first.cancel()
        #expect(await outcome(of: first).error?.isCancellation == true)
        gate.open()
        var outcomes: [String: Int] = [:]
        for call in calls { outcomes[try await call.value, default: 0] += 1 }
        #expect(outcomes == ["1 miss": 1, "1 hit": 4])
        #expect(server.requests.count == 2)
    }

    @Test("lets the waiting calls go at the head of a response that is not stored")
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

    @Test("does not use a stored error for the attempt that follows it")
    func storedErrors() async throws {
        endpoint.retryPolicy.maximumRetries = 1
        let count = Locked(0)
        server.route(nil, "/text") { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return (number == 1 ? MockResponse.status(503) : .text("\(number)"))
                .header("Cache-Control", "max-age=60")
        }
        #expect(try await get() == "2 miss")
        #expect(try await get() == "2 hit")
    }

    @Test("follows stored redirects")
    func redirects() async throws {
        server.route(nil, "/old") { _ in
            .redirect(to: "/text", status: 301).header("Cache-Control", "max-age=600")
        }
        serve("max-age=60")
        #expect(try await get(CachedText(path: "old")) == "1 miss")
        #expect(try await get(CachedText(path: "old")) == "1 hit")
        #expect(server.requests.count == 2)
    }

    @Test("streams and downloads what is stored, and stores what is streamed and downloaded")
    func sinks() async throws {
        let folder = try TemporaryFolder()
        let body = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })
        server.route(nil, "/data") { _ in .data(body).header("Cache-Control", "max-age=60") }
        let request = DefaultRequest<Data, ServerMessage>(path: "data")
        var streamed = Data()
        for try await piece in try await endpoint.stream(request) { streamed.append(piece) }
        #expect(streamed == body)
        await eventually { cache.statistics.stored == 1 }
        #expect(try await endpoint.value(for: request) == body)
        streamed = Data()
        for try await piece in try await endpoint.stream(request) { streamed.append(piece) }
        #expect(streamed == body)
        let file = folder.url.appendingPathComponent("file")
        let download = request.download(to: file)
        let counts = Locked<[Double]>([])
        let outcome = await outcome(
            of: download.execute(on: endpoint)
                .onProgress { progress in counts.withLock { $0.append(progress) } }
        )
        #expect(outcome.error == nil)
        #expect(try Data(contentsOf: file) == body)
        #expect(counts.withLock { $0.last } == 1)
        #expect(server.requests.count == 1)
        cache.removeAll()
        _ = try await endpoint.value(for: download)
        #expect(try await endpoint.value(for: request) == body)
        #expect(server.requests.count == 2)
    }

    @Test("neither stores nor answers streams of events")
    func events() async throws {
        server.route(nil, "/events") { _ in
            .text("data: 1\n\n").header("Content-Type", "text/event-stream")
                .header("Cache-Control", "max-age=60")
        }
        for _ in 0..<2 {
            let stream = try await endpoint.stream(TextRequest(path: "events"))
            for try await event in stream.serverSentEvents { #expect(event.data == "1") }
        }
        #expect(server.requests.count == 2)
        #expect(cache.statistics.stored == 0)
    }

    @Test("stores neither parts nor broken responses, and none above a tenth of its capacity")
    func incomplete() async throws {
        endpoint.cache = .memory(capacity: 100_000)
        server.route(nil, "/part") { _ in
            .status(206).header("Content-Range", "bytes 0-0/2")
                .header("Cache-Control", "max-age=60")
        }
        server.route(nil, "/big") { _ in
            .text(String(repeating: "x", count: 10_001)).header("Cache-Control", "max-age=60")
        }
        server.route(nil, "/cut") { _ in
            .text("12345").header("Cache-Control", "max-age=60").cutting(afterBodyBytes: 2)
        }
        for path in ["part", "big", "cut"] {
            for _ in 0..<2 {
                _ = await CallStyle.async.outcome(of: CachedText(path: path), on: endpoint)
            }
        }
        #expect(server.requests.count == 6)
        #expect(endpoint.cache?.statistics.stored == 0)
    }

    @Test("is seen in the log, in measurements, in events, and in a HAR file")
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
            endpoint.observation.register { (event: CallEvent) in
                guard case .answeredFromCache(let outcome) = event.kind else { return }
                kinds.withLock { $0.append("\(outcome)") }
            },
            endpoint.observation.registerExchanges { recorder.record($0) },
        ]
        serve("max-age=60", [("ETag", "\"a\"")])
        _ = try await get()
        clock.advance(by: .seconds(7))
        _ = try await get()
        clock.advance(by: .seconds(70))
        _ = try await get()
        withExtendedLifetime(tokens) {}
        #expect(measured.withLock { $0 } == ["miss", "hit", "revalidated"])
        #expect(kinds.withLock { $0 } == ["hit", "revalidated"])
        #expect(lines.lines.contains { $0.contains("from the cache (hit") })
        let entries = recorder.har.entries
        #expect(entries.map { $0.response.status } == [200, 200, 304])
        #expect(entries.map { $0.cache.beforeRequest?.eTag } == [nil, "\"a\"", nil])
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
