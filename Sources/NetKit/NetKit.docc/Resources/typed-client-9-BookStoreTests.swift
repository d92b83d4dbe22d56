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
}
