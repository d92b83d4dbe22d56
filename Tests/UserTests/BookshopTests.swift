import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Test of a client with a stub", .timeLimit(.minutes(15)))
struct BookshopTests {
    private let stub = StubTransport(basePath: "/v1", encoder: .snakeCaseISO8601)
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://bookshop.example/v1"))
    }

    private var shop: Bookshop {
        Bookshop(Endpoint(baseURL: url, transport: stub, retryingCount: 0))
    }

    @Test("lists books encoded for the client")
    func list() async throws {
        let book = Book(id: 1, title: "Ülü", publishedAt: Date(timeIntervalSince1970: 0))
        stub.on(.get, "/books?page=2") { _ in .json([book]) }
        #expect(try await shop.books(page: 2) == [book])
        try stub.checkAllUsed()
    }

    @Test("responds with a fixture")
    func fixtures() async throws {
        let fixture = Fixture("books.json")
        stub.on(.get, "/books") { _ in try .fixture(fixture) }
        #expect(try await shop.books() == fixture.decoded(decoder: .snakeCaseISO8601))
    }

    @Test("sends the token after a login")
    func login() async throws {
        stub.on(LoginRequest(user: "", password: ""), reply: Login(accessToken: "t"))
        stub.on(BooksRequest(page: 1), reply: [])
        let shop = shop
        try await shop.logIn(user: "ann", password: "p")
        _ = try await shop.books()

        let login = try #require(stub.requests(.post, "/login").first)
        #expect(try login.json(as: [String: String].self) == ["user": "ann", "password": "p"])
        let list = try #require(stub.requests(.get, "/books").first)
        #expect(list.headers[.authorization] == "Bearer t")
        #expect(list.queryValue("page") == "1")
    }

    @Test("fails with the typed error of a rejection")
    func refusal() async throws {
        stub.on(
            LoginRequest(user: "", password: ""),
            error: ShopError(message: "who?"),
            status: 403
        )
        do throws(ErrorResponse<ShopError>) {
            try await shop.logIn(user: "x", password: "y")
            Issue.record("it was let in")
        } catch {
            #expect(error.serverError == ShopError(message: "who?"))
        }
    }

    @Test("uploads a cover in a form")
    func upload() async throws {
        stub.on(.put, "/books/{id}/cover") { request in
            let book: Int = try request.parameter("id")
            #expect(book == 7)
            return .status(204)
        }
        try await shop.upload(cover: Data([1, 2, 3]), of: 7)
        let part = try #require(stub.requests.first?.multipart.first)
        #expect(part.name == "cover")
        #expect(part.fileName == "cover.png")
        #expect(part.contentType == "image/png")
        #expect(part.body == Data([1, 2, 3]))
    }

    @Test("resumes a truncated download")
    func download() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pdf")
        defer { try? FileManager.default.removeItem(at: file) }
        let catalogue = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        stub.on(.get, "/catalogue.pdf") { .resource(catalogue, for: $0, eTag: "\"1\"") }
        let faulty = FaultyTransport(wrapping: stub)
        faulty.script(.cut(afterBodyBytes: 30_000), .loseBeforeResponse)
        let endpoint = Endpoint(baseURL: url, transport: faulty, retryingCount: 2)
        endpoint.retryPolicy.backoff = .none
        #expect(try await Bookshop(endpoint).downloadCatalogue(to: file) == file)
        #expect(try Data(contentsOf: file) == catalogue)
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=30000-", "bytes=30000-"])
        #expect(faulty.injectedFaults.map(\.number) == [1, 2])
    }

    @Test("follows the sales until the loop exits")
    func sales() async throws {
        let sales = [Sale(book: 1, count: 2), Sale(book: 2, count: 5), Sale(book: 3, count: 1)]
        let events = try sales.map { sale in
            ServerSentEvent(data: String(decoding: try JSONEncoder().encode(sale), as: UTF8.self))
        }
        stub.on(.get, "/sales") { _ in .events(events) }
        #expect(try await shop.sales(upTo: 7) == Array(sales.prefix(2)))
    }

    @Test("retries through repeated 429s on a manual clock")
    func storm() async throws {
        let clock = ManualClock()
        stub.on(BooksRequest(page: 1), reply: [])
        let faulty = FaultyTransport(wrapping: stub)
        let waits = [Duration.seconds(30), .seconds(20)]
        faulty.script(.tooManyRequests(retryAfter: waits[0]), .unavailable(retryAfter: waits[1]))
        let endpoint = Endpoint(baseURL: url, transport: faulty, retryingCount: 2, clock: clock)
        let operation = endpoint.execute(BooksRequest(page: 1))
        for (number, wait) in waits.enumerated() {
            // A wait counts from when it was decided on, which is in the history.
            while operation.history.count <= number {
                try await Task.sleep(for: .milliseconds(1))
            }
            clock.advance(by: wait)
        }
        #expect(try await operation.value == [])
        #expect(operation.history.map(\.next) == waits.map { .retry(after: $0) } + [.done])
        #expect(stub.requests.count == 1)
    }

    @Test("behaves the same over a real socket")
    func mockServer() async throws {
        let server = try MockServer()
        server.route("POST", "/v1/login") { _ in .json(text: #"{"access_token":"t"}"#) }
        server.route("GET", "/v1/books") { _ in .json(text: #"[{"id":1,"title":"One"}]"#) }
        let shop = Bookshop(Endpoint(baseURL: server.url("/v1")))
        try await shop.logIn(user: "ann", password: "p")
        #expect(try await shop.books() == [Book(id: 1, title: "One")])
        #expect(server.requests.last?.header("Authorization") == "Bearer t")
    }

    @Test("has requests without lint findings")
    func requests() {
        #expect(lint(BooksRequest(page: 1)).isEmpty)
        #expect(lint(LoginRequest(user: "a", password: "b")).isEmpty)
        #expect(lint(CoverUpload(Data(), of: 1)).isEmpty)
        #expect(lint(CatalogueRequest(path: "catalogue.pdf")).isEmpty)
    }
}
