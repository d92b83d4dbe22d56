import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Query parameters", .timeLimit(.minutes(15)))
struct ParameterScenarios {
    private enum Order: String, Sendable { case newest, oldest }

    private struct Search: Request {
        typealias ResponseObjectType = Void
        let path = "search"
        let method: HTTPMethod
        @Query("q") var text: String?
        @Query("tag") var tags: [String] = []
        @Query("all") var isForAll = false
        @Query("order") var order: Order = .newest
        @Query("page") var page = 1

        init(method: HTTPMethod = .get) {
            self.method = method
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/search") { _ in .status(204) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func pairs(of request: RecordedRequest?) -> [String] {
        request?.query.map { "\($0.name)=\($0.value)" } ?? []
    }

    /// Nil and an empty array are absent, defaults are there.
    @Test("omits nil and sends defaults", arguments: CallStyle.allCases)
    func defaults(style: CallStyle) async throws {
        try await style.outcome(of: Search(), on: endpoint).get()
        #expect(pairs(of: server.requests.first) == ["all=false", "order=newest", "page=1"])
    }

    /// The kinds of values.
    @Test("encodes text, arrays, Booleans, enumerations and numbers")
    func values() async throws {
        var search = Search()
        search.text = "a b&c"
        search.tags = ["x", "y z"]
        search.isForAll = true
        search.order = .oldest
        search.page = 2
        try await endpoint.value(for: search)
        let expected = ["q=a b&c", "tag[]=x", "tag[]=y z", "all=true", "order=oldest", "page=2"]
        #expect(pairs(of: server.requests.first) == expected)
    }

    /// A query is a query, whatever the method.
    @Test("stays in the URL of a POST")
    func post() async throws {
        var search = Search(method: .post)
        search.text = "t"
        try await endpoint.value(for: search)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(pairs(of: sent) == ["q=t", "all=false", "order=newest", "page=1"])
        #expect(sent.body.isEmpty)
        #expect(sent.header("Content-Type") == nil)
    }
}
