import Foundation
import NetKit
import NetKitTesting
import NetKitPaging

/// A page of a server of these tests.
struct Batch: Codable, Sendable {
    var items: [Int]
    var next: String?
}

typealias BatchRequest = DefaultRequest<Batch, ServerMessage>

/// A request whose address is made of parameters, and that has fields of every kind.
struct ShelfRequest: Request {
    typealias ResponseObjectType = Batch
    var path = "shelves/{shelf}/books?order=asc"
    var queryItems: [QueryItem] { [.flag("full")] }
    var method: HTTPMethod = .get
    let headers: HTTPHeaders = ["X-App": "app", .cookie: "c=1"]
    var interceptors: [any Interceptor] = []
    let authToken: AuthToken? = .header(name: "X-Key", value: "k")
    @Path("shelf") var shelf = "a b"
    @Query("lang") var language = "de"
    @Query("cursor") var cursor = "start"
    @Header("X-Trace") var trace = "t"
}

extension MockResponse {
    /// A page, with a link to the next one if there is an address for it.
    static func batch(
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
}

extension Pages where R.ResponseObjectType == Batch {
    /// Everything that is on the pages.
    var allItems: [Int] {
        get async throws {
            var all: [Int] = []
            for try await item in items(\.items) { all.append(item) }
            return all
        }
    }
}

extension Pages {
    /// What ends the pages, and how many there were.
    var ending: (pages: Int, error: (any Error)?) {
        get async {
            var count = 0
            do {
                for try await _ in self { count += 1 }
                return (count, nil)
            } catch {
                return (count, error)
            }
        }
    }
}

/// Adds a field to every attempt.
struct Adding: Interceptor {
    let name: String

    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        var request = request
        request.headers[HTTPHeaderName(name)] = "yes"
        return try await next(request)
    }
}
