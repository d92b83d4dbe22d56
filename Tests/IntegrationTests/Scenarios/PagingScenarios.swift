import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Pages", .timeLimit(.minutes(1)))
struct PagingScenarios {
    struct Batch: Codable, Sendable {
        var items: [Int]
        var next: String?
    }

    typealias BatchRequest = DefaultRequest<Batch, ServerMessage>

    /// A request whose address is made of parameters, and that has fields of every kind.
    private struct ShelfRequest: Request {
        typealias ResponseObjectType = Batch
        var path = "shelves/{shelf}/books?order=asc"
        var queryItems: [QueryItem] { [.flag("full")] }
        var method: HTTPMethod = .get
        let headers: HTTPHeaders = ["X-App": "app", .cookie: "c=1"]
        let authToken: AuthToken? = .header(name: "X-Key", value: "k")
        @Path("shelf") var shelf = "a b"
        @Query("lang") var language = "de"
        @Query("cursor") var cursor = "start"
        @Header("X-Trace") var trace = "t"
    }

    private let server: MockServer
    private let other: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        other = try MockServer()
        endpoint = Endpoint(baseURL: server.url("/v1"), retryingCount: 0)
    }

    private func batch(
        _ items: [Int],
        next: String? = nil,
        link: String? = nil
    ) throws
        -> MockResponse
    {
        let response = try MockResponse.json(Batch(items: items, next: next))
        guard let link else { return response }
        return response.header("Link", "<\(link)>; rel=\"next\"")
    }

    private func items<R: Request>(
        _ pages: Pages<R>
    ) async throws -> [Int] where R.ResponseObjectType == Batch {
        var all: [Int] = []
        for try await item in pages.items(\.items) { all.append(item) }
        return all
    }

    /// What ends the pages, and how many there were.
    private func ending<R: Request>(_ pages: Pages<R>) async -> (pages: Int, error: (any Error)?) {
        var count = 0
        do {
            for try await page in pages {
                #expect(page.index == count)
                count += 1
            }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    // MARK: - Links

    @Test("are followed by their links, with all that the request says but its query")
    func links() async throws {
        endpoint.headers = ["X-Endpoint": "e", .authorization: "Bearer t"]
        endpoint.queryParams = [("key", "k"), ("page", "0")]
        server.enqueue(try batch([1, 2], link: "?page=2"))
        server.enqueue(try batch([], link: "/v1/other?page=3&page=4"))
        server.enqueue(try batch([3], link: "\(server.baseURL)/%7Bx%7D?page=5"))
        server.enqueue(try batch([4]))
        #expect(try await items(endpoint.pages(of: ShelfRequest())) == [1, 2, 3, 4])
        #expect(
            server.requests.map(\.target) == [
                "/v1/shelves/a%20b/books?key=k&page=0&order=asc&lang=de&cursor=start&full",
                "/v1/shelves/a%20b/books?key=k&page=2",
                "/v1/other?key=k&page=3&page=4", "/%7Bx%7D?key=k&page=5",
            ]
        )
        let names = [
            "Accept", "X-App", "Cookie", "X-Key", "X-Trace", "X-Endpoint",
        ]
        let first = try #require(server.requests.first)
        for request in server.requests {
            #expect(request.method == "GET")
            for name in names {
                #expect(request.header(name) != nil, "\(name)")
                #expect(request.header(name) == first.header(name))
            }
        }
    }

    @Test("find the link among several in several fields, and where a redirect led")
    func severalLinks() async throws {
        server.enqueue(.redirect(to: "/v2/moved/list"))
        server.enqueue(
            try batch([1]).header("Link", "</x>; rel=prev")
                .header("Link", "<2>; title=\"a, b\"; rel=next")
        )
        server.enqueue(try batch([2]))
        #expect(try await items(endpoint.pages(of: BatchRequest(path: "list"))) == [1, 2])
        #expect(server.requests.map(\.path) == ["/v1/list", "/v2/moved/list", "/v2/moved/2"])
    }

    @Test("go on with a GET without a body when a POST was answered with a link")
    func linkAfterPost() async throws {
        server.enqueue(try batch([1], link: "/next"))
        server.enqueue(try batch([2]))
        let request = BatchRequest(
            path: "search",
            method: .post,
            body: .params(["q": "x"]),
            headers: ["Idempotency-Key": "i", "X-App": "app"]
        )
        #expect(try await items(endpoint.pages(of: request)) == [1, 2])
        let last = try #require(server.requests.last)
        #expect(last.method == "GET")
        #expect(last.bodyLength == 0)
        #expect(last.header("Content-Type") == nil)
        #expect(last.header("Idempotency-Key") == nil)
        #expect(last.header("X-App") == "app")
    }

    @Test("follow an address in the page")
    func addresses() async throws {
        server.enqueue(try batch([1], next: "\(server.baseURL)/v1/list?after=1"))
        server.enqueue(try batch([2], next: "?after=2"))
        server.enqueue(try batch([3], next: ""))
        let pages = endpoint.pages(of: BatchRequest(path: "list"), by: .address { $0.next })
        #expect(try await items(pages) == [1, 2, 3])
        #expect(
            server.requests.map(\.target) == ["/v1/list", "/v1/list?after=1", "/v1/list?after=2"]
        )
    }

    // MARK: - Cursors and counts

    @Test("put a cursor into the query, in the place of an earlier one")
    func cursors() async throws {
        endpoint.headers.authToken = .bearer("t")
        endpoint.queryParams = [("key", "k")]
        server.enqueue(try batch([1], next: "a+b/=&"))
        server.enqueue(try batch([2], next: "{id}"))
        server.enqueue(try batch([3], next: ""))
        let request = ShelfRequest(method: .query)
        #expect(try await items(endpoint.pages(of: request, by: .cursor { $0.next })) == [1, 2, 3])
        #expect(server.requests.map { $0.queryValue("cursor") } == ["start", "a+b/=&", "{id}"])
        for request in server.requests {
            #expect(request.method == "QUERY")
            #expect(request.path == "/v1/shelves/a%20b/books")
            #expect(request.query.map(\.name) == ["key", "order", "lang", "cursor", "full"])
            #expect(request.header("Authorization") == nil)
            #expect(request.header("X-Key") == "k")
            #expect(request.header("X-Trace") == "t")
        }
    }

    @Test("send a body again with every page")
    func bodies() async throws {
        server.enqueue(try batch([1], next: "2"), try batch([2], next: "3"), try batch([3]))
        let request = BatchRequest(
            path: "search",
            method: .post,
            queryParams: [("size", "1")],
            body: .params(["q": "x"])
        )
        let pages = endpoint.pages(of: request, by: .cursor(name: "after") { $0.next })
        #expect(try await items(pages) == [1, 2, 3])
        #expect(
            server.requests.map(\.target) == [
                "/v1/search?size=1", "/v1/search?size=1&after=2", "/v1/search?size=1&after=3",
            ]
        )
        #expect(server.requests.allSatisfy { $0.method == "POST" && $0.text == #"{"q":"x"}"# })
    }

    @Test("send the files of a form again with every page")
    func forms() async throws {
        struct Search: MultipartFormDataRequest {
            typealias ResponseObjectType = Batch
            let path = "search"
            let method: HTTPMethod = .post
            let files: [any MultipartFile] = [
                DefaultMultipartFile(
                    resource: Data("picture".utf8),
                    mime: "image/png",
                    name: "like",
                    fileName: "a.png"
                )
            ]
        }
        server.enqueue(try batch([1], next: "2"), try batch([2]))
        let pages = endpoint.pages(of: Search(), by: .cursor { $0.next.flatMap { Int($0) } })
        #expect(try await items(pages) == [1, 2])
        #expect(server.requests.map(\.target) == ["/v1/search", "/v1/search?cursor=2"])
        #expect(server.requests.allSatisfy { $0.text.contains("picture") })
    }

    @Test("count elements, from what the request begins with")
    func offsets() async throws {
        server.enqueue(try batch([1, 2]), try batch([3, 4]), try batch([5]))
        let request = BatchRequest(path: "list", queryParams: [("skip", "10"), ("limit", "2")])
        let pages = endpoint.pages(
            of: request,
            by: .offset(name: "skip", step: 2) { $0.items.count < 2 }
        )
        #expect(try await items(pages) == [1, 2, 3, 4, 5])
        #expect(server.requests.map { $0.queryValue("skip") } == ["10", "12", "14"])
        #expect(server.requests.allSatisfy { $0.queryValue("limit") == "2" })
    }

    @Test("count pages")
    func pageNumbers() async throws {
        server.enqueue(try batch([1]), try batch([2]), try batch([]))
        let pages = endpoint.pages(of: BatchRequest(path: "list"), by: .page { $0.items.isEmpty })
        #expect(try await items(pages) == [1, 2])
        #expect(
            server.requests.map(\.target) == ["/v1/list", "/v1/list?page=2", "/v1/list?page=3"]
        )
    }

    // MARK: - Other origins

    @Test("end at a link to another origin, whose secrets are not shown")
    func otherOrigin() async throws {
        other.route(nil, "/*") { _ in .status(200) }
        server.enqueue(try batch([1], link: "\(other.baseURL)/list?key=secret"))
        let (count, error) = await ending(endpoint.pages(of: BatchRequest(path: "list")))
        #expect(count == 1)
        #expect(error as? PagingFailure == .otherOrigin("\(other.baseURL)/list?key"))
        #expect(other.requests.isEmpty)
    }

    @Test("end at a link in a page that came from another origin")
    func redirectedPage() async throws {
        server.enqueue(.redirect(to: "\(other.baseURL)/list"))
        other.enqueue(try batch([1], link: "\(server.baseURL)/v1/list?page=2"))
        let (count, error) = await ending(endpoint.pages(of: BatchRequest(path: "list")))
        #expect(count == 1)
        #expect(error as? PagingFailure == .otherOrigin("\(server.baseURL)/v1/list?page"))
    }

    @Test("go to another origin without credentials if they may, and never get them back")
    func abroad() async throws {
        let base = try #require(URL(string: "http://u:p@127.0.0.1:\(server.port)/v1"))
        let endpoint = Endpoint(baseURL: base, retryingCount: 0)
        endpoint.headers = ["X-Endpoint": "e", .acceptLanguage: "de"]
        endpoint.queryParams = [("key", "k")]
        server.enqueue(try batch([1], link: "\(other.baseURL)/2"))
        other.enqueue(try batch([2], link: "3"))
        other.enqueue(try batch([3], link: "\(server.baseURL)/v1/4?a=b"))
        server.enqueue(try batch([4]))
        let pages = endpoint.pages(of: ShelfRequest(), otherOrigins: .followWithoutCredentials)
        #expect(try await items(pages) == [1, 2, 3, 4])
        let abroad = other.requests + server.requests.suffix(1)
        #expect(abroad.map(\.target) == ["/2", "/3", "/v1/4?a=b"])
        let secrets = [
            "Authorization", "Cookie", "X-Key", "X-Endpoint",
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
        "never go from https to http",
        arguments: [OtherOrigins.refuse, .followWithoutCredentials]
    )
    func downgrade(otherOrigins: OtherOrigins) async throws {
        let transport = StubTransport { _ in
            .init(
                headers: [.link: "<http://a.test/2?k=v>; rel=next"],
                body: Data(#"{"items":[]}"#.utf8)
            )
        }
        let url = try #require(URL(string: "https://a.test"))
        let pages = Endpoint(baseURL: url, transport: transport)
            .pages(of: BatchRequest(path: "1"), otherOrigins: otherOrigins)
        let (count, error) = await ending(pages)
        #expect(count == 1)
        #expect(error as? PagingFailure == .invalidLink("http://a.test/2?k"))
    }

    // MARK: - Ends

    @Test("end where a request would be sent again")
    func circle() async throws {
        let body = try batch([1], next: "same")
        server.route("GET", "/v1/a") { _ in body.header("Link", "</v1/b>; rel=next") }
        server.route("GET", "/v1/b") { _ in body.header("Link", "</v1/a>; rel=next") }
        endpoint.queryParams = [("key", "k")]
        let linked = await ending(endpoint.pages(of: BatchRequest(path: "a")))
        #expect(linked.pages == 2)
        #expect(linked.error as? PagingFailure == .repeatedRequest("\(server.baseURL)/v1/a?key"))
        let request = BatchRequest(path: "a")
        let queried = await ending(endpoint.pages(of: request, by: .cursor { $0.next }))
        #expect(queried.pages == 2)
        #expect(
            queried.error as? PagingFailure
                == .repeatedRequest("\(server.baseURL)/v1/a?key&cursor")
        )
        let standing = endpoint.pages(of: request, by: .offset(step: 0) { _ in false })
        #expect(await ending(standing).pages == 2)
    }

    @Test("end with an error when there are too many, and without when there are just as many")
    func limit() async throws {
        let full = try batch([1])
        server.route("GET", "/v1/list") { request in
            let number = request.queryValue("page").flatMap { Int($0) } ?? 1
            return full.header("Link", number == 5 ? "" : "<?page=\(number + 1)>; rel=next")
        }
        let request = BatchRequest(path: "list")
        let many = await ending(endpoint.pages(of: request, maximumPages: 4))
        #expect(many.pages == 4)
        #expect(many.error as? PagingFailure == .tooManyPages(maximum: 4))
        #expect(server.requests.count == 4)
        let enough = await ending(endpoint.pages(of: request, maximumPages: 5))
        #expect(enough.pages == 5)
        #expect(enough.error == nil)
        let none = await ending(endpoint.pages(of: request, maximumPages: 0))
        #expect(none.error as? PagingFailure == .tooManyPages(maximum: 0))
        #expect(server.requests.count == 9)
    }

    @Test("end with the typed error of a page, and are over then")
    func failure() async throws {
        server.enqueue(try batch([1], link: "?page=2"))
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

    @Test("are asked for one by one, each when it is wanted")
    func lazy() async throws {
        server.route("GET", "/v1/list") { request in
            let number = request.queryValue("page").flatMap { Int($0) } ?? 1
            return try batch([number, number], link: "?page=\(number + 1)")
        }
        let pages = endpoint.pages(of: BatchRequest(path: "list"))
        #expect(server.requests.isEmpty)
        for try await page in pages where page.index == 1 { break }
        #expect(server.requests.count == 2)
        var reader = pages.items(\.items).makeAsyncIterator()
        for expected in [1, 1, 2] { #expect(try await reader.next() == expected) }
        #expect(server.requests.count == 4)
    }

    @Test("end when the task that reads is cancelled, or all calls are", arguments: [false, true])
    func cancelling(all: Bool) async throws {
        server.enqueue(try batch([1], link: "?page=2"))
        server.enqueue(.fault(.stall))
        let endpoint = endpoint
        let task = Task { await ending(endpoint.pages(of: BatchRequest(path: "list"))) }
        try await server.waitForRequests(2)
        if all { endpoint.cancelAllRequests() } else { task.cancel() }
        let (count, error) = await task.value
        #expect(count == 1)
        guard case .cancelled = error as? ErrorResponse<ServerMessage> else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("are not there for a download")
    func downloads() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let request = BatchRequest(path: "list").download(to: file)
        let (_, error) = await ending(endpoint.pages(of: request))
        guard case .transport(let failure) = error as? ErrorResponse<ServerMessage> else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.kind == .unsupported)
        #expect(server.requests.isEmpty)
    }

    @Test("show no values and no query")
    func descriptions() async throws {
        server.enqueue(try batch([1234]))
        let request = BatchRequest(path: "list", queryParams: [("q", "secret")])
        for try await page in endpoint.pages(of: request) {
            #expect(
                "\(page)"
                    == "page 0, Batch from HTTP 200 from GET \(server.baseURL)/v1/list?q (16 bytes)"
            )
            var dumped = ""
            dump(page, to: &dumped)
            #expect(!dumped.contains("1234") && !dumped.contains("secret"))
        }
    }
}
