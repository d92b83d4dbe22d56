import Foundation
import NetKit
import NetKitTesting
import Testing

@testable import BookClient

@Suite("Book store")
struct BookStoreTests {
    private let stub = StubTransport()
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://books.example.com"))
    }

    private var store: BookStore {
        BookStore(endpoint: Endpoint(baseURL: url, transport: stub))
    }

    @Test("returns a book")
    func book() async throws {
        stub.on(BookRequest(id: 7), reply: Book(id: 7, title: "Emma"))

        let book = try await store.book(7)

        #expect(book.title == "Emma")
        #expect(stub.requests.map(\.path) == ["/books/7"])
    }

    @Test("throws the server's error")
    func missingBook() async {
        let error = StoreError(message: "no such book", code: 4)
        stub.on(BookRequest(id: 8), error: error, status: 404)

        do {
            _ = try await store.book(8)
            Issue.record("the call succeeded")
        } catch {
            #expect(error.serverError?.code == 4)
            #expect(error.statusCode == 404)
        }
    }

    @Test("sends the title of a new book")
    func addBook() async throws {
        stub.on(.post, "/books") { request in
            let sent = try request.json(as: [String: String].self)
            return .json(Book(id: 9, title: sent["title"] ?? ""))
        }

        #expect(try await store.add(title: "Persuasion").title == "Persuasion")
        try stub.checkAllUsed()
    }

    @Test("retries after a 503")
    func retry() async throws {
        let busy = StubReply.status(503).header(.retryAfter, "30")
        stub.on(.get, "/books/{id}", replies: busy, .json(Book(id: 7, title: "Emma")))
        let clock = ManualClock(skippingDelays: true)
        let endpoint = Endpoint(baseURL: url, transport: stub, clock: clock)

        #expect(try await BookStore(endpoint: endpoint).book(7).title == "Emma")
        #expect(clock.skippedDelays == [.seconds(30)])
    }
}
