import Foundation
import NetKit
import NetKitPaging
import NetKitSupport
import NetKitTesting
import Testing

@Suite("End of paging", .timeLimit(.minutes(15)))
struct PagingEndScenarios {
    private let server: MockServer
    private let other: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        other = try MockServer()
        endpoint = testEndpoint(baseURL: server.url("/v1"), retryingCount: 0)
    }

    @Test("stops at a link to another origin, and redacts its secrets")
    func otherOrigin() async throws {
        other.route(nil, "/*") { _ in .status(200) }
        server.enqueue(try .batch([1], link: "\(other.baseURL)/list?key=secret"))
        let (count, error) = await endpoint.pages(of: BatchRequest(path: "list")).ending
        #expect(count == 1)
        #expect(error as? PagingFailure == .otherOrigin("\(other.baseURL)/list?key"))
        #expect(other.requests.isEmpty)
    }

    @Test("stops at a link in a page from another origin")
    func redirectedPage() async throws {
        server.enqueue(.redirect(to: "\(other.baseURL)/list"))
        other.enqueue(try .batch([1], link: "\(server.baseURL)/v1/list?page=2"))
        let (count, error) = await endpoint.pages(of: BatchRequest(path: "list")).ending
        #expect(count == 1)
        #expect(error as? PagingFailure == .otherOrigin("\(server.baseURL)/v1/list?page"))
    }

    @Test("follows another origin without credentials if allowed, and never restores them")
    func abroad() async throws {
        let base = try #require(URL(string: "http://u:p@127.0.0.1:\(server.port)/v1"))
        let endpoint = testEndpoint(baseURL: base, retryingCount: 0)
        endpoint.headers = ["X-Endpoint": "e", .acceptLanguage: "de"]
        endpoint.queryParams = [("key", "k")]
        endpoint.interceptors = [Adding(name: "X-Added")]
        let request = ShelfRequest(interceptors: [Adding(name: "X-Added-2")])
        let statuses = Locked<[String]>([])
        endpoint.observation.register(for: [200]) { response in
            statuses.withLock { $0.append(response.url.path) }
        }
        server.enqueue(try .batch([1], link: "\(other.baseURL)/2"))
        other.enqueue(try .batch([2], link: "3"))
        other.enqueue(try .batch([3], link: "\(server.baseURL)/v1/4?a=b"))
        server.enqueue(try .batch([4]))
        let pages = endpoint.pages(of: request, followsOtherOrigins: true)
        #expect(try await pages.allItems == [1, 2, 3, 4])
        #expect(server.requests.first?.header("X-Added") == "yes")
        #expect(server.requests.first?.header("X-Added-2") == "yes")
        #expect(
            statuses.withLock { $0 } == ["/v1/shelves/a b/books", "/2", "/3", "/v1/4"]
        )
        let abroad = other.requests + server.requests.suffix(1)
        #expect(abroad.map(\.target) == ["/2", "/3", "/v1/4?a=b"])
        let secrets = [
            "Authorization", "Cookie", "X-Key", "X-Endpoint", "X-Added", "X-Added-2",
        ]
        for request in abroad {
            #expect(secrets.compactMap { request.header($0) } == [])
            #expect(request.header("Accept-Language") != "de")
            #expect(request.header("X-App") == "app")
            #expect(request.header("X-Trace") == "t")
            #expect(request.header("Accept") == "application/json")
        }
        #expect(other.requests.first?.header("Host") == "127.0.0.1:\(other.port)")
    }

    @Test(
        "never follows a link from https to http",
        arguments: [false, true]
    )
    func downgrade(followsOtherOrigins: Bool) async throws {
        let transport = StubTransport()
        transport.on(.get, "/1") { _ in
            .json(text: #"{"items":[]}"#).header(.link, "<http://a.test/2?k=v>; rel=next")
        }
        let url = try #require(URL(string: "https://a.test"))
        let pages = Endpoint(baseURL: url, transport: transport)
            .pages(of: BatchRequest(path: "1"), followsOtherOrigins: followsOtherOrigins)
        let (count, error) = await pages.ending
        #expect(count == 1)
        #expect(error as? PagingFailure == .invalidLink("http://a.test/2?k"))
    }

    @Test("removes the same credentials as a cross-origin redirect")
    func credentials() async throws {
        endpoint.redaction = Redaction(headers: ["X-Tenant"])
        let request = BatchRequest(
            path: "list",
            headers: ["X-Tenant": "t", "X-Api-Key": "k", "X-App": "app"]
        )
        server.enqueue(try .batch([1], link: "\(other.baseURL)/2"))
        other.enqueue(try .batch([2]))
        var count = 0
        for try await _ in endpoint.pages(of: request, followsOtherOrigins: true) {
            count += 1
        }
        #expect(count == 2)
        #expect(server.requests.last?.header("X-Tenant") == "t")
        let away = try #require(other.requests.last)
        #expect(["X-Tenant", "X-Api-Key"].compactMap { away.header($0) } == [])
        #expect(away.header("X-App") == "app")
    }

    @Test("stops before a repeated request")
    func circle() async throws {
        let body = try MockResponse.batch([1], next: "same")
        server.route("GET", "/v1/a") { _ in body.header("Link", "</v1/b>; rel=next") }
        server.route("GET", "/v1/b") { _ in body.header("Link", "</v1/a>; rel=next") }
        endpoint.queryParams = [("key", "k")]
        let linked = await endpoint.pages(of: BatchRequest(path: "a")).ending
        #expect(linked.pages == 2)
        #expect(linked.error as? PagingFailure == .repeatedRequest("\(server.baseURL)/v1/a?key"))
        let request = BatchRequest(path: "a")
        let queried = await endpoint.pages(of: request, by: .cursor { $0.next }).ending
        #expect(queried.pages == 2)
        #expect(
            queried.error as? PagingFailure
                == .repeatedRequest("\(server.baseURL)/v1/a?key&cursor")
        )
        let standing = endpoint.pages(of: request, by: .offset(step: 0) { _ in false })
        #expect(await standing.ending.pages == 2)
    }

    @Test("fails beyond the page limit, and succeeds at it")
    func limit() async throws {
        let full = try MockResponse.batch([1])
        server.route("GET", "/v1/list") { request in
            let number = request.queryValue("page").flatMap { Int($0) } ?? 1
            return full.header("Link", number == 5 ? "" : "<?page=\(number + 1)>; rel=next")
        }
        let request = BatchRequest(path: "list")
        let many = await endpoint.pages(of: request, maximumPages: 4).ending
        #expect(many.pages == 4)
        #expect(many.error as? PagingFailure == .tooManyPages(maximum: 4))
        #expect(server.requests.count == 4)
        let enough = await endpoint.pages(of: request, maximumPages: 5).ending
        #expect(enough.pages == 5)
        #expect(enough.error == nil)
        let none = await endpoint.pages(of: request, maximumPages: 0).ending
        #expect(none.error as? PagingFailure == .tooManyPages(maximum: 0))
        #expect(server.requests.count == 9)
    }

    @Test("fails with the typed error of a page, then stops")
    func failure() async throws {
        server.enqueue(try .batch([1], link: "?page=2"))
        server.enqueue(.json(text: #"{"message":"gone"}"#, status: 410))
        var reader = endpoint.pages(of: BatchRequest(path: "list")).makeAsyncIterator()
        #expect(try await reader.next()?.value.items == [1])
        do {
            _ = try await reader.next()
            Issue.record("no error")
        } catch let error as ErrorResponse<ServerMessage> {
            #expect(error.statusCode == 410)
            #expect(error.message == "gone")
        }
        #expect(try await reader.next() == nil)
        #expect(server.requests.count == 2)
    }

    @Test("requests each page only on demand")
    func lazy() async throws {
        server.route("GET", "/v1/list") { request in
            let number = request.queryValue("page").flatMap { Int($0) } ?? 1
            return try .batch([number, number], link: "?page=\(number + 1)")
        }
        let pages = endpoint.pages(of: BatchRequest(path: "list"))
        #expect(server.requests.isEmpty)
        var first = pages.makeAsyncIterator()
        for _ in 0..<2 { _ = try await first.next() }
        #expect(server.requests.count == 2)
        var reader = pages.items(\.items).makeAsyncIterator()
        for expected in [1, 1, 2] { #expect(try await reader.next() == expected) }
        #expect(server.requests.count == 4)
    }

    @Test("stops when the reading task or all calls are cancelled", arguments: [false, true])
    func cancelling(all: Bool) async throws {
        server.enqueue(try .batch([1], link: "?page=2"))
        server.enqueue(.fault(.stall))
        let endpoint = endpoint
        let task = Task { await endpoint.pages(of: BatchRequest(path: "list")).ending }
        try await server.waitForRequests(2)
        if all { endpoint.cancelAllRequests() } else { task.cancel() }
        let (count, error) = await task.value
        #expect(count == 1)
        guard case .cancelled = error as? ErrorResponse<ServerMessage> else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("rejects a download, wrapped or not")
    func downloads() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let request = BatchRequest(path: "list").download(to: file)
        let errors = [
            await endpoint.pages(of: request).ending.error,
            await endpoint.pages(of: AnyRequest(request)).ending.error,
        ]
        for error in errors {
            guard case .transport(let failure) = error as? ErrorResponse<ServerMessage> else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.kind == .unsupported)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("prints no values and no query values")
    func descriptions() async throws {
        server.enqueue(try .batch([1234]))
        let request = BatchRequest(path: "list", queryParams: [("q", "secret")])
        for try await page in endpoint.pages(of: request) {
            #expect(
                "\(page)"
                    .hasPrefix(
                        "Batch from HTTP 200 from GET \(server.baseURL)/v1/list?q (16 bytes)"
                    )
            )
            var dumped = ""
            dump(page, to: &dumped)
            #expect(!dumped.contains("1234") && !dumped.contains("secret"))
        }
    }
}
