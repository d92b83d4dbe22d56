import Foundation
import NetKit

/// The client that is tested.
struct Bookshop: Sendable {
    let endpoint: Endpoint

    init(_ endpoint: Endpoint) {
        endpoint.decoder = .snakeCaseISO8601
        self.endpoint = endpoint
    }

    func books(page: Int = 1) async throws(ErrorResponse<ShopError>) -> [Book] {
        try await endpoint.value(for: BooksRequest(page: page))
    }

    /// Logs in; what is asked later is asked as this user.
    func logIn(user: String, password: String) async throws(ErrorResponse<ShopError>) {
        let login = try await endpoint.value(for: LoginRequest(user: user, password: password))
        endpoint.headers.authToken = .bearer(login.accessToken)
    }

    func upload(cover: Data, of book: Int) async throws(ErrorResponse<ShopError>) {
        try await endpoint.value(for: CoverUpload(cover, of: book))
    }

    func downloadCatalogue(to file: URL) async throws(ErrorResponse<ShopError>) -> URL {
        try await endpoint.value(for: CatalogueRequest(path: "catalogue.pdf").download(to: file))
    }

    /// The sales up to when so many have been sold.
    func sales(upTo limit: Int) async throws -> [Sale] {
        var sales: [Sale] = []
        let stream = try await endpoint.stream(SalesRequest(path: "sales"))
        for try await event in stream.serverSentEvents {
            sales.append(try JSONDecoder().decode(Sale.self, from: Data(event.data.utf8)))
            if sales.reduce(0, { $0 + $1.count }) >= limit { break }
        }
        return sales
    }
}
