import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Redirects", .timeLimit(.minutes(15)))
struct RedirectScenarios {
    private let server: MockServer
    private let other: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        other = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        for server in [server, other] { server.route(nil, "/end") { _ in .text("end") } }
    }

    private func redirect(to location: String, status: Int = 302) {
        server.route(nil, "/start") { _ in .redirect(to: location, status: status) }
    }

    /// What identifies the client stays with the origin that it was meant for.
    @Test(
        "removes every credential on a redirect to another port, and none to the same origin",
        arguments: [
            AuthToken.bearer("a"), .basic(username: "u", password: "p"),
            .custom(key: "X-Key", token: "k"),
        ],
        CallStyle.allCases
    )
    func credentials(token: AuthToken, style: CallStyle) async throws {
        endpoint.headers.authToken = token
        var headers: HTTPHeaders = ["Cookie": "id=1", "X-App": "app"]
        headers.set("X-Marked", to: "secret", isSensitive: true)
        let request = TextRequest(path: "start", headers: headers)
        let secrets = ["Authorization", "X-Key", "Cookie", "X-Marked"]

        redirect(to: "\(other.baseURL)/end")
        #expect(await style.outcome(of: request, on: endpoint).value == "end")
        let away = try #require(other.requests.last)
        #expect(secrets.compactMap { away.header($0) } == [])
        #expect(away.header("X-App") == "app")
        #expect(away.header("Host") == "127.0.0.1:\(other.port)")

        redirect(to: "/end")
        #expect(await style.outcome(of: request, on: endpoint).value == "end")
        let home = try #require(server.requests.last)
        #expect(home.path == "/end")
        #expect(secrets.compactMap { home.header($0) }.count == 3)
    }

    @Test(
        "removes a field whose name is a credential's on a redirect to another port",
        arguments: [
            ("X-Functions-Key", true), ("X-Master-Key", true), ("X-CSRF", true), ("X-XSRF", true),
            ("x-amz-server-side-encryption-customer-key", true), ("X-Hmac", true),
            ("X-Bearer", true), ("X-Authz", true), ("X-Sig", true), ("X-Pass", true),
            ("Idempotency-Key", false), ("Accept", false), ("X-App", false),
        ]
    )
    func names(name: String, isCredential: Bool) async throws {
        redirect(to: "\(other.baseURL)/end")
        let request = TextRequest(path: "start", headers: [HTTPHeaderName(name): "value/1"])
        #expect(try await endpoint.value(for: request) == "end")
        #expect(server.requests.last?.header(name) == "value/1")
        #expect(other.requests.last?.header(name) == (isCredential ? nil : "value/1"))
    }

    @Test(
        "removes and logs secret, redacted and default fields on a cross-origin redirect"
    )
    func hidden() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        endpoint.redaction = Redaction(headers: ["X-Customer"])
        endpoint.headers = ["X-Api-Key": "k", "X-Customer": "c", "X-App": "app"]
        endpoint.interceptors = [
            .userAgent("Weather/2.1"),
            DefaultFields {
                var fields: HTTPHeaders = ["X-Session": "s", "X-Tenant": "t"]
                fields.set("X-Marked", to: "m", isSensitive: true)
                return fields
            },
        ]
        let names = ["X-Api-Key", "X-Customer", "X-Session", "X-Tenant", "X-Marked"]
        redirect(to: "\(other.baseURL)/end")
        let left = Locked<[[HTTPHeaderName]]>([])
        endpoint.observation.registerEvents { event in
            if case .credentialsRemoved(let names) = event.kind {
                left.withLock { $0.append(names) }
            }
        }
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        let home = try #require(server.requests.last)
        let away = try #require(other.requests.last)
        #expect(names.allSatisfy { home.header($0) != nil })
        #expect(names.compactMap { away.header($0) }.isEmpty)
        #expect(away.header("X-App") == "app")
        #expect(away.header("User-Agent") == "Weather/2.1")
        let removed: [[String]] = left.withLock { $0.map { $0.map(\.rawName).sorted() } }
        #expect(removed == [names.sorted()])
        let line = try #require(logger.lines.first { $0.contains("credentials removed") })
        #expect(
            line.contains(
                "credentials removed: the redirect leads to another origin (X-Api-Key, X-Customer, "
            )
        )
        let sent = try #require(logger.lines.first { $0.contains(" > GET ") })
        #expect(sent.contains("X-Marked: ‹redacted›") && sent.contains("X-Tenant: ‹redacted›"))

        // A request that names the whole URL there has only what it says itself.
        let whole = TextRequest(path: "\(other.baseURL)/end", headers: ["X-Session-Key": "own"])
        #expect(try await endpoint.value(for: whole) == "end")
        #expect(names.compactMap { other.requests.last?.header($0) } == [])
        #expect(other.requests.last?.header("X-Session-Key") == "own")
    }

    @Test("removes a redacted field set by an interceptor on a cross-origin redirect")
    func hiddenByInterceptor() async throws {
        endpoint.redaction = Redaction(headers: ["X-Customer"])
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.headers["X-Customer"] = "c"
                return try await next(request)
            }
        ]
        redirect(to: "\(other.baseURL)/end")
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        #expect(server.requests.last?.header("X-Customer") == "c")
        #expect(other.requests.map { $0.header("X-Customer") } == [nil])
    }

    @Test(
        "removes the fields of a request's redaction on a cross-origin redirect, whatever is shown",
        arguments: [Redaction.secrets, Redaction.none]
    )
    func hiddenByRequest(redaction: Redaction) async throws {
        endpoint.redaction = redaction
        var request = TextRequest(path: "start", headers: ["X-Customer": "c"])
        request.redaction = Redaction(headers: ["X-Customer"])
        redirect(to: "\(other.baseURL)/end")
        #expect(try await endpoint.value(for: request) == "end")
        #expect(server.requests.last?.header("X-Customer") == "c")
        #expect(other.requests.map { $0.header("X-Customer") } == [nil])
    }

    @Test("logs no removed credentials when there are none")
    func nothingLeftBehind() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        redirect(to: "\(other.baseURL)/end")
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        #expect(logger.lines.contains { $0.contains("redirected by") })
        #expect(!logger.lines.contains { $0.contains("credentials removed") })
    }

    @Test(
        "logs the removal of the endpoint's authentication, for other origins only"
    )
    func authentication() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        endpoint.authentication = BasicAuthentication(username: "u", password: "p")
        redirect(to: "/end")
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        #expect(!logger.lines.contains { $0.contains("credentials removed") })
        redirect(to: "\(other.baseURL)/end")
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        #expect(
            logger.lines.contains {
                $0.hasSuffix("credentials removed: the redirect leads to another origin")
            }
        )
        #expect(other.requests.last?.header("Authorization") == nil)
        #expect(server.requests.last?.header("Authorization") != nil)
    }

    /// The request's own token is left behind as well, and does not come back.
    @Test("doesn't restore credentials after a redirect back")
    func awayAndBack() async throws {
        let home = "\(server.baseURL)/end"
        other.route(nil, "/back") { _ in .redirect(to: home) }
        redirect(to: "\(other.baseURL)/back")
        let request = TextRequest(path: "start", authToken: .bearer("own"))
        #expect(try await endpoint.value(for: request) == "end")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer own", nil])
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }

    /// A body that has to be sent again is sent again, from memory and from a file.
    @Test("replays the body when the method stays the same", arguments: [307, 308], [false, true])
    func replay(status: Int, isStreamed: Bool) async throws {
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try body.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        redirect(to: "\(other.baseURL)/end", status: status)
        let request = TextRequest(
            path: "start",
            method: .post,
            body: isStreamed ? .file(file, mime: "application/x-test") : .raw(body)
        )
        #expect(try await endpoint.value(for: request) == "end")
        for sent in [server.requests.last, other.requests.last] {
            #expect(sent?.method == "POST")
            #expect(sent?.body == body)
            #expect(sent?.headers(named: "Content-Length") == ["\(body.count)"])
        }
        #expect(
            server.requests.last?.header("Content-Type")
                == other.requests.last?.header("Content-Type")
        )
    }

    /// The methods of RFC 9110.
    @Test(
        "changes to a GET without a body as RFC 9110 requires",
        arguments: [
            (HTTPMethod.post, 301, "GET"), (.post, 302, "GET"), (.post, 303, "GET"),
            (.put, 303, "GET"), (.put, 302, "PUT"), (.delete, 301, "DELETE"), (.get, 302, "GET"),
        ] as [(HTTPMethod, Int, HTTPMethod)]
    )
    func methods(method: HTTPMethod, status: Int, expected: HTTPMethod) async throws {
        redirect(to: "/end", status: status)
        let body: RequestBody? = method == .post || method == .put ? .string("body") : nil
        let request = TextRequest(path: "start", method: method, body: body)
        #expect(try await endpoint.value(for: request) == "end")
        let sent = try #require(server.requests.last)
        #expect(sent.method == expected)
        #expect(sent.body.isEmpty == (expected != "PUT"))
        #expect((sent.header("Content-Type") == nil) == (expected != "PUT"))
    }

    /// The address is resolved as RFC 3986 says, its encoding kept.
    @Test(
        "resolves a Location against the requested URL",
        arguments: [
            ("end", "/a/end"), ("../end", "/end"), ("?q=1", "/a/start?q=1"), ("/end#f", "/end"),
            ("/b%2Fc?x=%2B", "/b%2Fc?x=%2B"), ("/b c", "/b%20c"),
            ("/%zz", "/%25zz"), ("/[a]|b", "/%5Ba%5D%7Cb"), ("/a?x[]=%", "/a?x%5B%5D=%25"),
        ]
    )
    func resolution(location: String, target: String) async throws {
        server.route(nil, "/*") { _ in .text("end") }
        server.enqueue(.redirect(to: location))
        let response = try await endpoint.response(for: TextRequest(path: "a/start"))
        #expect(server.requests.map(\.target) == ["/a/start", target])
        #expect(response.http.url.absoluteString == "\(server.baseURL)\(target)")
        #expect(response.http.request.url == response.http.url)
        #expect(response.attempts == 1)
    }

    /// URLSession on Linux tells of a redirect once its body is whole.
    @Test(
        "is followed whatever is wrong with its body, which nothing needs",
        .disabled(if: TransportUnderTest.limits.contains(.redirectBodies)),
        arguments: [
            "Content-Length: 9\r\n\r\nshort", "Content-Length: 2000\r\n\r\n" + .zeros(2_000),
            "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain",
            "Transfer-Encoding: chunked\r\n\r\nnumber\r\n",
        ]
    )
    func brokenBody(rest: String) async throws {
        endpoint.maximumResponseSize = 1_000
        let head = "HTTP/1.1 302 Found\r\nLocation: /end\r\n"
        // A connection that the server closes behind a whole response may meet the next request.
        let isCut = rest.hasSuffix("short")
        server.route(nil, "/start") { _ in
            .raw(Data((head + rest).utf8), closesConnection: isCut)
        }
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        struct Rejected: Error {}
        endpoint.interceptors = [
            ClosureInterceptor(scope: .exchange) { request, next in
                do { return try await next(request) } catch { throw Rejected() }
            }
        ]
        let rejected = await TextRequest(path: "start").execute(on: endpoint).failure
        #expect(rejected?.underlying is Rejected)
        endpoint.interceptors = []
        endpoint.redirectPolicy = .doNotFollow
        let error = await TextRequest(path: "start").execute(on: endpoint).failure
        #expect(error?.response == nil)
        guard case .transport = error else {
            Issue.record("\(error.debugDescription)")
            return
        }
    }

    @Test("follows an upper-case scheme, and sends an interceptor's")
    func upperCaseScheme() async throws {
        let url = "HTTP://127.0.0.1:\(other.port)/end"
        redirect(to: url)
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        let target = try #require(URL(string: url))
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.url = target
                return try await next(request)
            }
        ]
        #expect(try await endpoint.value(for: TextRequest(path: "start")) == "end")
        #expect(other.requests.count == 2)
    }

    /// How far one follows is the endpoint's choice.
    @Test("follows as many redirects as the policy allows", arguments: CallStyle.allCases)
    func policy(style: CallStyle) async throws {
        redirect(to: "/start")
        let request = TextRequest(path: "start")
        let endless = await style.outcome(of: request, on: endpoint).error
        #expect(endless?.kind == .transport(.tooManyRedirects))
        #expect(server.requests.count == 21)

        redirect(to: "/end")
        endpoint.redirectPolicy = .follow(maximum: 0)
        let forbidden = await style.outcome(of: request, on: endpoint).error
        #expect(forbidden?.kind == .transport(.tooManyRedirects))

        endpoint.redirectPolicy = .doNotFollow
        let delivered = await style.outcome(of: request, on: endpoint).error
        #expect(delivered?.kind == .server(302))
        #expect(delivered?.response?.headers[.location] == "/end")

        let other = try MockServer()
        redirect(to: other.baseURL.appending(path: "end").absoluteString)
        endpoint.redirectPolicy = .sameOriginOnly
        let kept = await style.outcome(of: request, on: endpoint).error
        #expect(kept?.kind == .server(302) && other.requests.isEmpty)
    }

    /// Nothing but http and https is followed.
    @Test("rejects schemes other than http", arguments: ["ftp://127.0.0.1/x", "file:///etc/hosts"])
    func foreignScheme(location: String) async throws {
        redirect(to: location)
        let error = await CallStyle.async.outcome(of: TextRequest(path: "start"), on: endpoint)
            .error
        #expect(error?.kind == .transport(.unsafeRedirect))
    }
}

extension String {
    fileprivate static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
