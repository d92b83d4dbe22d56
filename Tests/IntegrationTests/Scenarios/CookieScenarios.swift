import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit
import NetKitCookies
import NetKitPaging
import NetKitHAR

@Suite("Cookies", .timeLimit(.minutes(15)))
struct CookieScenarios {
    private let server: MockServer
    private let endpoint: Endpoint
    private let jar = CookieJar()

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.cookies = jar
        server.route(nil, "/cookies") {
            .text($0.headers(named: "Cookie").joined(separator: " | "))
        }
        server.route(nil, "/set") { _ in .text("set").header("Set-Cookie", "id=7; Path=/") }
    }

    /// The `Cookie` fields of a new request, as the server got them.
    private func sent(on endpoint: Endpoint? = nil) async throws -> String {
        try await (endpoint ?? self.endpoint).value(for: TextRequest(path: "cookies"))
    }

    @Test("sends a stored cookie with the next call", arguments: CallStyle.allCases)
    func session(style: CallStyle) async throws {
        server.route(nil, "/two") { _ in
            .text("").header("Set-Cookie", "a=x,y=z; Expires=Thu, 31 Dec 2099 23:59:59 GMT; Path=/")
                .header("Set-Cookie", "b=\"2, 3\"; path=/cookies; HttpOnly")
                .header("Set-Cookie", "c=4; Path=/elsewhere")
                .header("Set-Cookie", "d=5; Domain=com")
        }
        #expect(await style.outcome(of: TextRequest(path: "cookies"), on: endpoint).value == "")
        #expect(await style.outcome(of: TextRequest(path: "two"), on: endpoint).value == "")
        #expect(jar.cookies.map(\.name) == ["a", "b", "c"])
        // The comma of a date divides no fields, whether or not the transport joins them.
        let lifetime = try #require(jar.cookies.first?.expires).timeIntervalSinceNow / 86_400
        #expect(lifetime > 399 && lifetime <= 400)
        let outcome = await style.outcome(of: TextRequest(path: "cookies"), on: endpoint)
        #expect(outcome.value == "b=\"2, 3\"; a=x,y=z")
    }

    @Test("ignores cookies without a jar")
    func withoutJar() async throws {
        endpoint.cookies = nil
        _ = try await endpoint.value(for: TextRequest(path: "set"))
        #expect(try await sent() == "")
        #expect(jar.cookies.isEmpty)
    }

    @Test(
        "stores the cookies of every response, whatever its status and method",
        arguments: [200, 204, 302, 304, 400, 401, 404, 429, 500, 503],
        ["GET", "HEAD", "POST"]
    )
    func everyResponse(status: Int, method: String) async throws {
        server.route(nil, "/any") { _ in .status(status).header("Set-Cookie", "id=7; Path=/") }
        _ = await CallStyle.async
            .outcome(
                of: VoidRequest(path: "any", method: HTTPMethod(rawValue: method)),
                on: endpoint
            )
        #expect(try await sent() == "id=7")
    }

    @Test("sends a redirect's cookies to the next hop, matched by its URL")
    func redirects() async throws {
        let port = server.port
        server.route(nil, "/start") { _ in
            .redirect(to: "/hop").header("Set-Cookie", "a=1; Path=/")
        }
        server.route(nil, "/hop") { _ in
            .redirect(to: "http://localhost:\(port)/away").header("Set-Cookie", "b=2; Path=/hop")
        }
        server.route(nil, "/away") { _ in
            .redirect(to: "http://127.0.0.1:\(port)/cookies").header("Set-Cookie", "c=3; Path=/")
        }
        endpoint.authentication = BasicAuthentication(username: "u", password: "p")
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "a=1")
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=1", nil, "a=1"])
        #expect(jar.cookies.map(\.domain) == ["127.0.0.1", "127.0.0.1", "localhost"])
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "a=1")
        let again = server.requests.suffix(4).map { $0.header("Cookie") }
        #expect(again == ["a=1", "b=2; a=1", "c=3", "a=1"])
    }

    @Test("sends a failed attempt's cookies with the retry")
    func retry() async throws {
        endpoint.retryPolicy = RetryPolicy.standard
        endpoint.retryPolicy.backoff = .none
        server.enqueue(.status(503).header("Set-Cookie", "a=1; Path=/"))
        #expect(try await sent() == "a=1")
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=1"])
        server.enqueue(
            .text("long").header("Set-Cookie", "b=2; Path=/").cutting(afterBodyBytes: 1)
        )
        #expect(try await sent() == "a=1; b=2")
        #expect(server.requests.suffix(2).map { $0.header("Cookie") } == ["a=1", "a=1; b=2"])
    }

    @Test("sends a 401's cookies with the refresh and the retried request")
    func refresh() async throws {
        server.route(nil, "/secret") { request in
            request.header("Authorization") == "Bearer new"
                ? .text(request.header("Cookie") ?? "")
                : .status(401).header("Set-Cookie", "a=1; Path=/")
        }
        server.route(nil, "/token") { request in
            .text("new").header("Set-Cookie", "b=\(request.header("Cookie") ?? "none"); Path=/")
        }
        endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: TextRequest(path: "token"))
        }
        #expect(try await endpoint.value(for: TextRequest(path: "secret")) == "a=1; b=a=1")
    }

    @Test("stores a stream's cookies when its head arrives")
    func stream() async throws {
        server.route(nil, "/feed") { _ in
            .text("never whole").header("Set-Cookie", "id=7; Path=/").stalling(afterBodyBytes: 5)
        }
        let stream = try await endpoint.stream(TextRequest(path: "feed"))
        #expect(jar.cookies.map(\.value) == ["7"])
        #expect(try await sent() == "id=7")
        withExtendedLifetime(stream) {}
    }

    @Test("stores a download's cookies")
    func download() async throws {
        let folder = try TemporaryFolder()
        _ = try await endpoint.value(for: TextRequest(path: "set").download(to: folder.file("a")))
        #expect(try await sent() == "id=7")
    }

    @Test("prefers the request's own Cookie field, name by name")
    func ownField() async throws {
        jar.store(["a=1; Path=/", "b=2; Path=/", "c=3; Path=/"], from: server.baseURL)
        func sent(_ own: String) async throws -> String {
            try await endpoint.value(for: TextRequest(path: "cookies", headers: [.cookie: own]))
        }
        #expect(try await sent("b=own; x=3") == "b=own; x=3; a=1; c=3")
        #expect(try await sent("a=1;b=5") == "a=1;b=5; c=3")
        #expect(try await sent("own") == "own; a=1; b=2; c=3")
        #expect(try await sent("A=2") == "A=2; a=1; b=2; c=3")
        endpoint.headers[.cookie] = "a=default"
        #expect(try await self.sent() == "a=default; b=2; c=3")
    }

    @Test("sends each page the cookies set by the page before")
    func pages() async throws {
        server.enqueue(try .batch([1], next: "2").header("Set-Cookie", "page=1; Path=/"))
        server.enqueue(try .batch([2], next: "3").header("Set-Cookie", "page=2; Path=/"))
        server.enqueue(try .batch([3]))
        let request = BatchRequest(path: "items", queryParams: [("cursor", "1")])
        let items = try await endpoint.pages(of: request, by: .cursor { $0.next }).allItems
        #expect(items == [1, 2, 3])
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "page=1", "page=2"])
    }

    @Test("keeps a derived endpoint's cookies separate")
    func derived() async throws {
        let users = [endpoint.derived { _ in }, endpoint.derived { _ in }]
        _ = try await users[0].value(for: TextRequest(path: "set"))
        #expect(try await sent(on: users[0]) == "id=7")
        #expect(try await sent(on: users[1]) == "")
        #expect(try await sent() == "" && jar.cookies.isEmpty)
        let same = endpoint.derived { $0.cookies = endpoint.cookies }
        _ = try await same.value(for: TextRequest(path: "set"))
        #expect(try await sent() == "id=7")
        endpoint.cookies = nil
        #expect(endpoint.derived { _ in }.cookies == nil)
    }

    @Test("expires cookies by the endpoint's clock")
    func clock() async throws {
        let clock = ManualClock()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            clock: clock
        )
        endpoint.cookies = jar
        server.route(nil, "/short") { _ in
            .text("").header("Set-Cookie", "a=1; Path=/; Max-Age=3600")
        }
        _ = try await endpoint.value(for: TextRequest(path: "short"))
        clock.advance(by: .seconds(3_599))
        #expect(try await sent(on: endpoint) == "a=1")
        clock.advance(by: .seconds(1))
        #expect(try await sent(on: endpoint) == "")
    }

    @Test("sends cookies with an unauthenticated request, by the cookies' own rules")
    func withoutCredentials() async throws {
        struct Login: Request {
            typealias ResponseObjectType = String
            let path = "cookies"
            let isAuthenticated = false
        }
        jar.store(["csrf=1; Path=/"], from: server.baseURL)
        #expect(try await endpoint.value(for: Login()) == "csrf=1")
    }

    @Test("shows cookies to exchange interceptors, not to attempt interceptors")
    func interceptors() async throws {
        final class Watch: Interceptor {
            let scope: InterceptorScope
            let seen = Locked<[String?]>([])
            init(_ scope: InterceptorScope) { self.scope = scope }
            func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
                seen.withLock { $0.append(request.headers["Cookie"]) }
                return try await next(request)
            }
        }
        let (attempt, exchange) = (Watch(.attempt), Watch(.exchange))
        endpoint.interceptors = [attempt, exchange]
        _ = try await endpoint.value(for: TextRequest(path: "set"))
        #expect(try await sent() == "id=7")
        #expect(attempt.seen.withLock { $0 } == [nil, nil])
        #expect(exchange.seen.withLock { $0 } == [nil, "id=7"])
    }

    @Test("persists cookies in a file written when the call ends")
    func file() async throws {
        let folder = try TemporaryFolder()
        endpoint.cookies = try CookieJar(file: folder.file("cookies.json"))
        server.route(nil, "/login") { _ in
            .text("").header("Set-Cookie", "id=7; Path=/; Max-Age=3600")
                .header("Set-Cookie", "short=1; Path=/")
        }
        _ = try await endpoint.value(for: TextRequest(path: "login"))
        #expect(try CookieJar(file: folder.file("cookies.json")).cookies.map(\.name) == ["id"])
        endpoint.cookies = try CookieJar(file: folder.file("cookies.json"))
        #expect(try await sent() == "id=7")
    }

    @Test("logs a warning and fails no call when the file can't be written")
    func unwritableFile() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        var folder: TemporaryFolder? = try TemporaryFolder()
        let file = try #require(folder).file("cookies.json")
        endpoint.cookies = try CookieJar(file: file)
        folder = nil
        server.route(nil, "/login") { _ in
            .text("in").header("Set-Cookie", "id=s3cret; Path=/; Max-Age=3600")
        }
        #expect(try await endpoint.value(for: TextRequest(path: "login")) == "in")
        #expect(!logger.lines.contains { $0.contains("s3cret") })
        #expect(try await sent() == "id=s3cret")
        let warnings = logger.lines.filter { $0.contains("cookies are not saved") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasSuffix("\(file.path): No such file or directory") == true)
    }

    @Test("prints no cookie values")
    func secrets() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        let recorder = HARRecorder()
        endpoint.observation.registerExchanges { recorder.record($0) }
        jar.store(["id=s3cret; Path=/"], from: server.baseURL)
        server.route(nil, "/secret") { _ in
            .text("ok").header("Set-Cookie", "id=s3cret2; Path=/; Max-Age=60")
        }
        let infos = Locked<[String]>([])
        let operation = TextRequest(path: "secret").execute(on: endpoint)
            .debugResponse(to: logger)
            .onDebug { info in
                infos.withLock { $0 += ["\(info)", info.cURL ?? "", info.transcript ?? ""] }
            }
        #expect(try await operation.value == "ok")
        await operation.delivered()
        _ = try await endpoint.value(for: TextRequest(path: "secret"))
        let har = String(decoding: try recorder.har.data(), as: UTF8.self)
        let request = TextRequest(path: "secret")
        let command = try endpoint.cURL(for: request)
        let written = logger.lines + infos.withLock { $0 } + [har, command]
        #expect(!written.contains { $0.contains("s3cret") })
        #expect(infos.withLock { $0 }.contains { $0.contains("Cookie: \(Redaction.mark)") })
        #expect(command.contains("Cookie: \(Redaction.mark)"))
        #expect(try endpoint.cURL(for: request, redacting: .none).contains("Cookie: id=s3cret2"))
        #expect(server.requests.map { $0.header("Cookie") } == ["id=s3cret", "id=s3cret2"])
    }

    @Test("accepts letters of any script")
    func letters() async throws {
        server.route(nil, "/letters") { _ in .text("").header("Set-Cookie", "größe=ä☃; Path=/") }
        _ = try await endpoint.value(for: TextRequest(path: "letters"))
        #expect(try await sent() == "größe=ä☃")
    }
}
