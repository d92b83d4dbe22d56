import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Request URL", .timeLimit(.minutes(15)))
struct URLScenarios {
    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route(nil, "/*") { _ in .text("ok") }
    }

    private func endpoint(_ base: String, headers: HTTPHeaders = [:]) throws -> Endpoint {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(base)"))
        return testEndpoint(baseURL: url, retryingCount: 0, headers: headers)
    }

    /// Slashes between base and path neither double nor vanish.
    @Test(
        "joins base and path with one slash, and keeps the base's query",
        arguments: [
            ("/api", "x", "/api/x"),
            ("/api", "/x", "/api/x"),
            ("/api/", "x", "/api/x"),
            ("/api/", "/x", "/api/x"),
            ("/api?k=v", "x", "/api/x?k=v"),
            ("/api/?k=v", "/x", "/api/x?k=v"),
            ("/api?k=v", "x?own=1", "/api/x?k=v&own=1"),
            ("", "x", "/x"),
            ("/", "/x", "/x"),
            ("/api", "x/", "/api/x/"),
            ("/api", "a b/é", "/api/a%20b/%C3%A9"),
            ("/a%2Fb", "x%2Fy", "/a%2Fb/x%2Fy"),
        ]
    )
    func joining(base: String, path: String, target: String) async throws {
        _ = try await endpoint(base).value(for: TextRequest(path: path))
        #expect(server.requests.map(\.target) == [target])
    }

    /// A path never leads to another host, however it begins.
    @Test("treats a leading double slash as a path, not a host")
    func doubleSlash() async throws {
        _ = try await endpoint("/api").value(for: TextRequest(path: "//127.0.0.2/x"))
        let sent = try #require(server.requests.first)
        #expect(sent.path.hasPrefix("/api/"))
        #expect(sent.path.hasSuffix("/127.0.0.2/x"))
        #expect(sent.header("Host") == "127.0.0.1:\(server.port)")
    }

    /// Dot segments stay below the base.
    @Test("keeps dot segments below the base", arguments: ["../x", "a/../../x", "%2e%2e/x"])
    func dotSegments(path: String) async throws {
        _ = try await endpoint("/api").value(for: TextRequest(path: path))
        #expect(server.requests.map(\.target) == ["/api/x"])
    }

    /// The query keeps its order, and names may come again.
    @Test("keeps the order and the repeated names of the query", arguments: CallStyle.allCases)
    func queryOrder(style: CallStyle) async throws {
        let query = [("b", "2"), ("a", "1"), ("a", "3")]
        let request = DefaultRequest<Item, APIError>(path: "p", method: .get, queryParams: query)
        server.route(nil, "/p") { _ in .json(text: #"{"id":1}"#) }
        let outcome = await style.outcome(of: request, on: try endpoint(""))
        #expect(outcome.value == Item(id: 1))
        #expect(server.requests.map(\.target) == ["/p?b=2&a=1&a=3"])
    }

    /// What is given is what a form server reads.
    @Test(
        "round-trips every character of query names and values",
        arguments: [
            "+", "&", "=", "#", "é", " ", "%", "%20", "a b+c&d=e#f", "😀", "/?;:@!$'()*,", "",
            "\"<>\\^`{|}", "line\nbreak", "[]", "日本語",
        ]
    )
    func queryRoundTrip(text: String) async throws {
        let query = [("value", text), ("name \(text)", "1")]
        _ = try await endpoint("").value(for: TextRequest(path: "p", queryParams: query))
        let read = try #require(server.requests.first).query
        #expect(read.map(\.name) == query.map(\.0))
        #expect(read.map(\.value) == query.map(\.1))
    }

    /// Base, path and request each add to the query, in this order.
    @Test("adds the request's query to those of the base and the path")
    func queryPrecedence() async throws {
        let request = TextRequest(path: "x?k=path", queryParams: [("k", "request")])
        _ = try await endpoint("/api?k=base&b=1").value(for: request)
        #expect(server.requests.map(\.target) == ["/api/x?k=base&b=1&k=path&k=request"])
    }

    /// An absolute address is gone to as it stands.
    @Test("sends an absolute URL with its own query and without the base's")
    func absoluteAddress() async throws {
        let elsewhere = try MockServer()
        defer { elsewhere.stop() }
        elsewhere.route(nil, "/there") { _ in .text("there") }
        let path = "http://127.0.0.1:\(elsewhere.port)/there?own=1"
        let request = TextRequest(path: path, queryParams: [("q", "2")])
        let text = try await endpoint("/api?k=v").value(for: request)
        #expect(text == "there")
        #expect(elsewhere.requests.map(\.target) == ["/there?own=1&q=2"])
        #expect(server.requests.isEmpty)
    }

    /// Credentials of the endpoint are for its own origin; another port is another.
    @Test(
        "removes the endpoint's credentials for another origin only",
        arguments: [
            AuthToken.bearer("a"), .basic(username: "u", password: "p"), .custom("Digest d"),
            .custom(key: "X-Key", token: "k"),
        ]
    )
    func credentials(token: AuthToken) async throws {
        let elsewhere = try MockServer()
        defer { elsewhere.stop() }
        elsewhere.route(nil, "/there") { _ in .text("ok") }
        var headers: HTTPHeaders = ["X-App": "app", "Cookie": "id=1"]
        headers.authToken = token
        headers.set("X-Marked", to: "secret", isSensitive: true)
        let endpoint = try endpoint("/api", headers: headers)
        let secrets = ["Authorization", "X-Key", "Cookie", "X-Marked"]

        let away = "http://127.0.0.1:\(elsewhere.port)/there"
        _ = try await endpoint.value(for: TextRequest(path: away))
        let there = try #require(elsewhere.requests.first)
        #expect(secrets.compactMap { there.header($0) } == [])
        #expect(there.header("X-App") == "app")

        for path in ["x", "http://127.0.0.1:\(server.port)/x", "HTTP://127.0.0.1:\(server.port)/x"]
        {
            _ = try await endpoint.value(for: TextRequest(path: path))
            let here = try #require(server.requests.last)
            #expect(secrets.compactMap { here.header($0) }.count == 3, "\(path)")
        }
    }

    /// A request's own token is the request's own decision.
    @Test("sends the request's own credentials to any origin")
    func ownCredentials() async throws {
        let elsewhere = try MockServer()
        defer { elsewhere.stop() }
        elsewhere.route(nil, "/there") { _ in .text("ok") }
        let path = "http://127.0.0.1:\(elsewhere.port)/there"
        let endpoint = try endpoint("", headers: ["Authorization": "Bearer endpoint"])
        _ = try await endpoint.value(for: TextRequest(path: path, authToken: .bearer("own")))
        #expect(elsewhere.requests.first?.headers(named: "Authorization") == ["Bearer own"])
    }

    /// What makes no address is refused before anything is sent.
    @Test(
        "rejects an unsupported base URL",
        arguments: ["ftp://127.0.0.1/", "mailto:a@b", "file:///etc/hosts", "relative/only"]
    )
    func impossibleAddress(base: String) async throws {
        let endpoint = testEndpoint(baseURL: try #require(URL(string: base)), retryingCount: 0)
        for style in CallStyle.allCases {
            let error = await style.outcome(of: TextRequest(path: "x"), on: endpoint).error
            guard case .invalidRequest(.invalidURL) = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
