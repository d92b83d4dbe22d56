import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Query", .timeLimit(.minutes(15)))
struct QueryScenarios {
    private struct Ask: Request {
        typealias ResponseObjectType = Void
        var path = "x"
        var queryParams: [(String, String)] = []
        var queryItems: [QueryItem] = []
    }

    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route(nil, "/*") { _ in .status(204) }
    }

    private func target(
        of request: Ask,
        base: String = "",
        defaults: [(String, String)] = []
    ) async throws -> String? {
        let url = try #require(URL(string: server.baseURL.absoluteString + base))
        let endpoint = testEndpoint(baseURL: url)
        endpoint.queryParams = defaults
        try await endpoint.value(for: request)
        return server.requests.last?.target
    }

    /// A dictionary is sent in the order of its keys, without what is nil.
    @Test("accepts a dictionary")
    func dictionary() async throws {
        enum Order: String, Sendable { case newest }
        let params: [(String, String)] = .init([
            "p1": 42, "p2": nil, "p3": [1, 2], "flag": true, "order": Order.newest,
            "at": Date(timeIntervalSince1970: 0), "in": ["b": 1.5, "a": nil] as [String: Double?],
        ])
        #expect(
            try await target(of: Ask(queryParams: params))
                == "/x?at=1970-01-01T00%3A00%3A00Z&flag=true&in%5Bb%5D=1.5&order=newest&p1=42"
                + "&p3%5B%5D=1&p3%5B%5D=2"
        )
        let numeric = URLEncoding(
            arrays: .comma,
            booleans: .numeric,
            dates: .secondsSince1970,
            nesting: .dots
        )
        let others: [(String, String)] = .init(
            ["flag": true, "at": Date(timeIntervalSince1970: 0), "in": ["a": [1, 2]]],
            encoding: numeric
        )
        #expect(try await target(of: Ask(queryParams: others)) == "/x?at=0&flag=1&in.a=1%2C2")
        let nested: [(String, String)] = .init([
            "f": [["a": 1], ["b": 2]], "r": [[1, 2], [3]],
        ])
        #expect(
            nested.map { "\($0)=\($1)" }
                == ["f[0][a]=1", "f[1][b]=2", "r[0][]=1", "r[0][]=2", "r[1][]=3"]
        )
        #expect(try await target(of: Ask(queryParams: .init([:]))) == "/x")
    }

    /// Items that are not a name and a value.
    @Test("accepts flags and percent-encoded values")
    func items() async throws {
        let items: [QueryItem] = [
            .flag("a b"), QueryItem(name: "c", value: "d&e"),
            .encoded(name: "sig", value: "%2Fx+y%3D"), .encoded(name: "z", value: nil),
            .encoded(name: "n", value: "é#"),
        ]
        #expect(
            try await target(of: Ask(path: "x?p=1", queryParams: [("q", "2")], queryItems: items))
                == "/x?p=1&q=2&a%20b&c=d%26e&sig=%2Fx+y%3D&z&n=%C3%A9%23"
        )
    }

    /// What every request has, a request can say otherwise.
    @Test(
        "adds the endpoint's items that the request doesn't name",
        arguments: [
            (Ask(), "/x?b=0&key=k&page=1&page=2"),
            (Ask(queryParams: [("page", "9")]), "/x?b=0&key=k&page=9"),
            (Ask(path: "x?k%65y=own"), "/x?b=0&page=1&page=2&k%65y=own"),
            (Ask(queryItems: [.flag("key")]), "/x?b=0&page=1&page=2&key"),
            (Ask(queryItems: [.encoded(name: "p%61ge", value: "3")]), "/x?b=0&key=k&p%61ge=3"),
        ]
    )
    private func defaults(request: Ask, expected: String) async throws {
        let defaults = [("key", "k"), ("page", "1"), ("page", "2")]
        let sent = try await target(of: request, base: "?b=0", defaults: defaults)
        #expect(sent == expected)
    }

    /// An address of its own keeps its own query, and gets the endpoint's.
    @Test("keeps the query of an absolute URL")
    func absolute() async throws {
        let other = try MockServer()
        other.route(nil, "/y") { _ in .status(204) }
        let endpoint = testEndpoint(baseURL: server.baseURL, headers: [.authorization: "Bearer t"])
        try await endpoint.value(for: Ask(path: "\(other.baseURL)/y?own=1"))
        #expect(other.requests.map(\.target) == ["/y?own=1"])
        #expect(other.requests.first?.header("Authorization") == nil)
    }

    /// An endpoint's key in the query is for its own origin.
    @Test("doesn't send the endpoint's query to another origin")
    func otherOrigin() async throws {
        let other = try MockServer()
        other.route(nil, "/y") { _ in .status(204) }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.queryParams = [("api_key", "secret")]
        try await endpoint.value(for: Ask(path: "\(other.baseURL)/y?own=1"))
        #expect(other.requests.map(\.target) == ["/y?own=1"])
        try await endpoint.value(for: Ask(path: "\(server.baseURL)/y?own=1"))
        #expect(server.requests.map(\.target) == ["/y?api_key=secret&own=1"])
    }
}
