import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private protocol OwnConverter: ResponseJSONConverter {}

@Suite("Mistyped request property")
struct MistypedPropertyTests {
    private struct Converter: ResponseJSONConverter {
        func convertedJSON(from json: Any) throws -> Any { json }
    }

    private struct Silent: Interceptor {
        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
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
    }

    private struct Every: Request {
        typealias ResponseObjectType = [Int]
        let path = "x"
        let method: HTTPMethod? = .post
        let queryParams = ["a": "b"]
        let queryItems = [URLQueryItem(name: "a", value: "b")]
        let body: Data? = nil
        let headers: [String: String] = [:]
        let timeout = 1
        let authToken = AuthToken.bearer("t")
        let isAuthenticated: Bool? = false
        let retryPolicy = RetryPolicy.never
        let responseConverter = 1
        let errorConverter = "error"
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

    /// Swift takes none of these for the requirement.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private struct Unwrapped: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        var method: HTTPMethod! = .post
        var body: RequestBody! = .string("b")
        var headers: HTTPHeaders! = [:]
        var authToken: AuthToken! = .bearer("t")
        var timeout: TimeInterval! = 60
        var isAuthenticated: Bool! = false
        var context: String! = "c"
    }

    @Test("is found if it is an implicitly unwrapped Optional")
    func unwrapped() {
        let found = MistypedProperty.all(in: Unwrapped())
        #expect(
            found.map { "\($0.name): \($0.expected), not \($0.type)" } == [
                "method: HTTPMethod, not HTTPMethod!", "body: RequestBody?, not RequestBody!",
                "headers: HTTPHeaders, not HTTPHeaders!", "authToken: AuthToken?, not AuthToken!",
                "timeout: TimeInterval?, not TimeInterval!", "isAuthenticated: Bool, not Bool!",
            ]
        )
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

    /// Types that have nothing to do with those of the requirements.
    private struct Unrelated: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        let body = "a letter's"
        let headers = 3
        let endpoint = URL(string: "https://host.test")
        let decoder = "morse"
        let authToken = "t"
        let interceptors = ["a"]
        let isCoalesced = 0
        let cachePolicy = "none"
        let queryParams = ["a": 1]
    }

    private struct Computed: Request {
        typealias ResponseObjectType = Data
        var path: String { "x" }
        var timeout: Double { 5 }
        var headers: [RequestHeaderKey: String] { [:] }
        var body: [String: String]? { nil }
    }

    /// Parameters have names of their own.
    private struct Parameters: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("timeout") var timeout = 5
        @Query("priority") var priority = "urgent"
        @Header("X-Context") var context = "c"
        @Query("method") var method: String = "card"
    }

    /// Its filter doesn't decide about credentials.
    private struct Visitors: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("authenticated") var isAuthenticated = false
    }

    private struct Waiting: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("t") var timeout: Duration = .seconds(5)
    }

    /// Its parameter has the type of the requirement, too.
    private struct WaitingExactly: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        @Query("t") var timeout: TimeInterval? = 5
    }

    /// Converters whose types say nothing of their values.
    ///
    /// Each `Order` makes a type of its own.
    private struct Doubtful<Order>: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        var responseConverter: (any OwnConverter)?
        var errorConverter: (any Sendable)?
    }

    private struct Plain: OwnConverter {
        func convertedJSON(from json: Any) throws -> Any { json }
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
        #expect(found.map(\.name) == ["headers", "timeout", "body"])
        #expect(found.map(\.expected) == ["HTTPHeaders", "TimeInterval?", "RequestBody?"])
        #expect(
            found.map(\.type) == ["Dictionary<HTTPHeaderName, String>", "Double", "RequestBody"]
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

    private struct Paging: Sendable {
        @Query("page") var page = 1
        @Query("size") var size = 20
    }

    private struct Paged: Request {
        typealias ResponseObjectType = Data
        let path = "p"
        var paging = Paging()
    }

    private struct Tagged: Request {
        typealias ResponseObjectType = Data
        let path = "p"
        let tags = ["a", "b"].map { Query(wrappedValue: $0, "tag") }
    }

    private struct MaybePaged: Request {
        typealias ResponseObjectType = Data
        let path = "p"
        var paging: Paging? = Paging()
        let tags: [Query<String>]
    }

    @Test("is one with parameters inside, which aren't sent")
    func nestedParameters() throws {
        let expected = "parameters of the request itself"
        let paged = try SampleEndpoint().refusal(Paged())
        #expect(paged == .mistypedProperty(name: "paging", type: "Paging", expected: expected))
        let maybe = MistypedProperty.all(in: MaybePaged(tags: []), parameters: [])
        #expect(maybe.map(\.name) == ["paging", "tags"])
        let tagged = try SampleEndpoint().invalid(Tagged())
        #expect(
            tagged?.message
                == "property \"tags\" would be ignored: declare it as \(expected), not Array<Query<String>>"
        )
    }

    @Test("is found whatever its type is, and without a stored value")
    func unrelated() {
        let stored = Mirror(reflecting: Unrelated()).children.compactMap(\.label)
        #expect(MistypedProperty.all(in: Unrelated()).map(\.name) == stored.filter { $0 != "path" })
        let found = MistypedProperty.all(in: Computed())
        #expect(found.map(\.name) == ["body", "headers", "timeout"])
        #expect(
            found.map(\.type) == [
                "Optional<Dictionary<String, String>>", "Dictionary<HTTPHeaderName, String>",
                "Double",
            ]
        )
    }

    @Test(
        "is used where it can be: a method's text, a Duration, and a converter that isn't Optional"
    )
    func honored() async throws {
        struct Refined: Request {
            typealias ResponseObjectType = [Int]
            let path = "x"
            let responseConverter: any OwnConverter = Nested()
        }
        struct Nested: OwnConverter {
            func convertedJSON(from json: Any) throws -> Any { (json as? [String: Any])?["x"] ?? 0 }
        }
        struct Stored: Request {
            typealias ResponseObjectType = [Int]
            let path = "x"
            let method = "POST"
            let timeout: Duration = .milliseconds(1_500)
            let responseConverter = KeyPathResponseConverter(path: "a/b")
        }
        struct Derived: Request {
            typealias ResponseObjectType = [Int]
            typealias ErrorType = String
            var path: String { "x" }
            var method: String { "REPORT" }
            var timeout: Duration? { .seconds(2) }
            var responseConverter: any ResponseJSONConverter { Nested() }
            var errorConverter: Nested { Nested() }
        }
        let url = try #require(URL(string: "http://127.0.0.1"))
        let transport = ScriptedTransport(
            .response(200, #"{"a":{"b":[1]}}"#),
            .response(200, #"{"x":[2]}"#),
            .response(200, #"{"x":[3]}"#),
            .response(400, #"{"x":"no"}"#)
        )
        let endpoint = Endpoint(baseURL: url, transport: transport)
        #expect(try await endpoint.value(for: Stored()) == [1])
        #expect(try await endpoint.value(for: Derived()) == [2])
        #expect(try await endpoint.value(for: Refined()) == [3])
        let error = await #expect(throws: ErrorResponse<String>.self) {
            try await endpoint.value(for: Derived())
        }
        #expect(error?.serverError == "no")
        #expect(
            transport.sent.map(\.method) == [.post, .custom("REPORT"), .get, .custom("REPORT")]
        )
        #expect(Stored().ownTimeout == .milliseconds(1_500) && Derived().ownTimeout == .seconds(2))
        #expect(Inferred().ownTimeout == nil && Exact().ownTimeout == .seconds(60))

        let wrapped = AnyRequest(AnyRequest(Derived()))
        #expect(wrapped.timeout == 2 && wrapped.errorConverter is Nested)
        #expect(try sample.encode(wrapped).method == .custom("REPORT"))
    }

    @Test("that is a converter is judged by its value, in whichever order requests are sent")
    func converterValues() throws {
        let converters: [(any OwnConverter)?] = [nil, Plain()]
        for converter in converters {
            #expect(try sample.refusal(Doubtful<Int>(responseConverter: converter)) == nil)
        }
        for converter in converters.reversed() {
            let request = Doubtful<String>(responseConverter: converter)
            #expect(try sample.refusal(AnyRequest(request)) == nil)
        }
        for (converter, isRefused) in [
            (nil, false), ("x", true), (Converter(), false), ("x", true), (nil, false),
        ] as [((any Sendable)?, Bool)] {
            let request = Doubtful<Double>(errorConverter: converter)
            #expect(try (sample.refusal(request) != nil) == isRefused)
            #expect(MistypedProperty.all(in: request).isEmpty == !isRefused)
        }
    }

    @Test("isn't a word that a request uses for itself, or a text in a header field")
    func ownWords() throws {
        struct Ticket: Request {
            typealias ResponseObjectType = Data
            let path = "tickets"
            let method = HTTPMethod.post
            let priority = 3
            let context = "ci/build"
            let redaction: String? = "black"
            var body: RequestBody? {
                .params(["priority": priority, "context": context, "redaction": redaction])
            }
        }
        struct Proxied: Request {
            typealias ResponseObjectType = Data
            let path = "fetch"
            let url = "https://away.test/x"
            var headers: HTTPHeaders { ["X-Target": url] }
        }
        #expect(try sample.refusal(Ticket()) == nil && sample.refusal(Proxied()) == nil)
    }

    @Test("of a wrapper is used or rejected, too")
    func wrappers() throws {
        struct Honored: ForwardingRequest {
            typealias ResponseObjectType = Data
            let wrappedRequest: any Request = Sample(path: "x")
            let method = "PUT"
            let timeout: Duration? = .seconds(3)
        }
        struct Refused: ForwardingRequest {
            typealias ResponseObjectType = Data
            let wrappedRequest: any Request = Sample(path: "x")
            let headers = ["X-Version": "2"]
        }
        let expected = InvalidRequest.Reason.mistypedProperty(
            name: "headers",
            type: "Dictionary<String, String>",
            expected: "HTTPHeaders"
        )
        for request in [Refused(), AnyRequest(Refused())] as [any Request] {
            #expect(try sample.refusal(request) == expected)
        }
        #expect(try sample.encode(AnyRequest(Honored())).method == .put)
        #expect(AnyRequest(Honored()).timeout == 3 && Honored().ownTimeout == .seconds(3))
    }

    private class Base: Request, @unchecked Sendable {
        typealias ResponseObjectType = Void
        let path = "x"
        var timeout: TimeInterval? { nil }
    }

    private final class Added: Base, @unchecked Sendable {
        let method: HTTPMethod = .post
        let body: RequestBody? = .params(["a": 1])
        let priority = 3
        @Query("q") var headers = 1
        override var timeout: TimeInterval? { 9 }
    }

    @Test("is found where a subclass adds it, as Swift would use the default")
    func added() throws {
        #expect(MistypedProperty.all(in: Base()).isEmpty)
        #expect(MistypedProperty.all(in: Added()).map(\.name) == ["method", "body"])
        let url = try #require(URL(string: "https://a.test"))
        let error = #expect(throws: InvalidRequest.self) {
            try RequestEncoder.encode(
                Added(),
                defaults: EncodingDefaults(baseURL: url, headers: [:])
            )
        }
        #expect(
            error?.description
                == "property \"method\" would be ignored: declare it in Base, and here override var method: HTTPMethod"
        )
    }

    @Test("isn't reported for a matching type, or for a parameter")
    func others() throws {
        #expect(MistypedProperty.all(in: Exact()) == [])
        #expect(MistypedProperty.all(in: Parameters()) == [])
        #expect(MistypedProperty.all(in: Cases.timeout(1)) == [])
        #expect(MistypedProperty.all(in: Cases.headers([:])) == [])
        #expect(MistypedProperty.all(in: Mirrored()) == [])
        #expect(MistypedProperty.all(in: Sample(path: "x")) == [])
        for request in [Parameters(), AnyRequest(Parameters())] as [any Request] {
            let encoded = try sample.encode(request)
            #expect(
                encoded.url.absoluteString
                    == "http://host.test/api/x?timeout=5&priority=urgent&method=card"
            )
            #expect(encoded.method == .get)
        }
        #expect(MistypedProperty.all(in: Waiting()) == [] && Waiting().ownTimeout == nil)
        #expect(try sample.url(Waiting()) == "http://host.test/api/x?t=5.0%20seconds")
        #expect(WaitingExactly().ownTimeout == nil)
        #expect(AnyRequest(WaitingExactly()).ownTimeout == nil)
        for request in [Visitors(), AnyRequest(Visitors())] as [any Request] {
            let encoded = try sample.encode(request)
            #expect(encoded.isAuthenticated && encoded.url.query() == "authenticated=false")
        }
        #expect(try sample.url(WaitingExactly()) == "http://host.test/api/x?t=5")
    }
}
