import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Mistyped request property")
struct MistypedPropertyTests {
    private struct Converter: ResponseJSONConverter {
        func convertedJSON(from json: Any) throws -> Any { json }
    }

    private struct Silent: Interceptor {
        func intercept(
            _ request: URLRequest,
            next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            try await next(request)
        }
    }

    /// As they stand in the issue: each compiles, and each was silently left out.
    private struct Inferred: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        let headers = [RequestHeaderKey("k"): "v"]
        let timeout = 60.0
        let body: RequestBody = .string("b")
        let responseConverter = ClosureResponseConverter { $0 }
    }

    private struct Every: Request {
        typealias ResponseObjectType = [Int]
        let path = "x"
        let method: HTTPMethod? = .post
        let queryParams = ["a": "b"]
        let queryItems = [URLQueryItem(name: "a", value: "b")]
        let body: Data? = nil
        let headers: [String: String] = [:]
        let timeout: Duration = .seconds(1)
        let authToken = AuthToken.bearer("t")
        let isAuthenticated: Bool? = false
        let retryPolicy = RetryPolicy.never
        let responseConverter: Converter? = nil
        let errorConverter: any ResponseJSONConverter = Converter()
        let endpoint: Endpoint
        let decoder = JSONDecoder()
        let interceptors = [Silent()]
        let isCoalesced: Bool? = true
        let cachePolicy = URLRequest.CachePolicy.reloadIgnoringLocalCacheData
        let priority: RequestPriority? = .high
        let context: RequestContext? = nil
        let redaction = Redaction.secrets
        let responseDecoding = ResponseDecoding<Data>.data
    }

    private struct Exact: Request {
        typealias ResponseObjectType = [Int]
        let path = "x"
        let method: HTTPMethod = .get
        let queryParams: [(String, String)] = []
        let queryItems: [QueryItem] = []
        let body: RequestBody? = nil
        let headers: HTTPHeaders = [:]
        let timeout: TimeInterval? = 60
        let authToken: AuthToken? = nil
        let isAuthenticated = false
        let retryPolicy: RetryPolicy? = .never
        let responseConverter: (any ResponseJSONConverter)? = Converter()
        let errorConverter: (any ResponseJSONConverter)? = nil
        let endpoint: Endpoint? = nil
        let decoder: JSONDecoder? = JSONDecoder()
        let interceptors: [any Interceptor] = [Silent()]
        let isCoalesced = false
        let cachePolicy = CachePolicy.reload
        let priority: RequestPriority = .normal
        let context = RequestContext()
        let redaction: Redaction? = .secrets
        let responseDecoding: ResponseDecoding<[Int]> = .json
    }

    /// Properties of the request's own, whose types have nothing to do with those of the requirements.
    private struct Unrelated: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        let method = "card"
        let body = "a letter's"
        let headers = 3
        let priority = "urgent"
        let context = ["a": "b"]
        let endpoint = URL(string: "https://host.test")
        let decoder = "morse"
        let authToken = "t"
        let interceptors = ["a"]
        let redaction = true
        let responseConverter = 1.5
        let isCoalesced = 0
        let cachePolicy = "none"
        @Query("timeout") var timeout = 5
    }

    private enum Cases: Request {
        typealias ResponseObjectType = Data
        case timeout(Double)
        case headers([String: String])
        var path: String { "x" }
    }

    private struct Mirrored: Request, CustomReflectable {
        typealias ResponseObjectType = Data
        let path = "x"
        let timeout: TimeInterval? = 5
        var customMirror: Mirror {
            Mirror(self, children: ["timeout": timeout ?? 0], displayStyle: .struct)
        }
    }

    // Proof: nothing of an instance changes after it was made.
    private class Parent: @unchecked Sendable {
        let timeout = 5.0
    }

    private final class Child: Parent, Request, @unchecked Sendable {
        typealias ResponseObjectType = Data
        let path = "x"
    }

    private let sample = SampleEndpoint()

    @Test("is found with its type and the expected type")
    func inferred() throws {
        let found = MistypedProperty.all(in: Inferred())
        #expect(found.map(\.name) == ["headers", "timeout", "body", "responseConverter"])
        #expect(
            found.map(\.expected)
                == ["HTTPHeaders", "TimeInterval?", "RequestBody?", "(any ResponseJSONConverter)?"]
        )
        #expect(
            found.map(\.type) == [
                "Dictionary<HTTPHeaderName, String>", "Double", "RequestBody",
                "ClosureResponseConverter",
            ]
        )
    }

    @Test("is found for every requirement with a default")
    func every() throws {
        let url = try #require(URL(string: "http://127.0.0.1"))
        let every = Every(endpoint: Endpoint(baseURL: url))
        let stored = Mirror(reflecting: every).children.compactMap(\.label)
        let found = MistypedProperty.all(in: every)
        #expect(found.map(\.name) == stored.filter { $0 != "path" })
        #expect(found.last?.expected == "ResponseDecoding<Array<Int>>")
    }

    @Test("can be an Optional of the expected type, or Foundation's cache policy")
    func cachePolicies() {
        struct Unsure: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let cachePolicy: CachePolicy? = .reload
        }
        struct Foreign: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let cachePolicy: URLRequest.CachePolicy? = nil
        }
        let found = MistypedProperty.all(in: Unsure()) + MistypedProperty.all(in: Foreign())
        #expect(found.map(\.name) == ["cachePolicy", "cachePolicy"])
        #expect(found.map(\.expected) == ["CachePolicy", "CachePolicy"])
    }

    @Test("is rejected by name before sending, each time")
    func refusal() async throws {
        let expected = InvalidRequest.Reason.mistypedProperty(
            name: "headers",
            type: "Dictionary<HTTPHeaderName, String>",
            expected: "HTTPHeaders"
        )
        for _ in 0..<2 { #expect(try sample.refusal(Inferred()) == expected) }
        let inherited = try sample.refusal(Child())
        #expect(
            inherited
                == .mistypedProperty(name: "timeout", type: "Double", expected: "TimeInterval?")
        )
        let download = Inferred().download(to: URL(fileURLWithPath: "/nowhere"))
        #expect(try sample.refusal(download) == expected)

        let transport = ScriptedTransport(.response(.ok))
        let url = try #require(URL(string: "http://127.0.0.1"))
        let endpoint = Endpoint(baseURL: url, transport: transport)
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.value(for: Inferred())
        }
        guard case .invalidRequest(let invalid) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.reason == expected)
        #expect(transport.sent.isEmpty)
    }

    @Test("isn't reported for a matching or unrelated type")
    func others() throws {
        #expect(MistypedProperty.all(in: Exact()) == [])
        #expect(MistypedProperty.all(in: Unrelated()) == [])
        #expect(MistypedProperty.all(in: Cases.timeout(1)) == [])
        #expect(MistypedProperty.all(in: Cases.headers([:])) == [])
        #expect(MistypedProperty.all(in: Mirrored()) == [])
        #expect(MistypedProperty.all(in: Sample(path: "x")) == [])
        #expect(try sample.url(Unrelated()) == "http://host.test/api/x?timeout=5")
    }
}
