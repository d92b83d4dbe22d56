import Foundation
import Testing

@testable import NetKit

@Suite("DefaultRequest")
struct DefaultRequestTests {
    private struct Item: Decodable, Sendable {}
    private struct ID: Decodable, Sendable { let id: Int }
    private struct Name: Decodable, Sendable { let name: String }

    private func checkDefaults<Value, Failure>(_ request: DefaultRequest<Value, Failure>) {
        #expect(request.path == "p" && request.method == .get)
        #expect(request.queryParams.isEmpty && request.headers.isEmpty && request.body == nil)
        #expect(request.timeout == nil && request.authToken == nil && request.decoder == nil)
        #expect(request.endpoint == nil)
    }

    @Test("has the protocol's defaults with every initializer")
    func defaults() {
        checkDefaults(DefaultRequest<Item, ServerMessage>(path: "p"))
        checkDefaults(DefaultRequest<Data, ServerMessage>(path: "p"))
        checkDefaults(DefaultRequest<String, String?>(path: "p"))
        checkDefaults(DefaultRequest<Void, ServerMessage>(path: "p"))
        checkDefaults(
            DefaultRequest<UInt8, ServerMessage>(
                path: "p",
                responseDecoding: ResponseDecoding { response, _ in response.body.first ?? 0 }
            )
        )
    }

    @Test("accepts the media types of its response type")
    func accept() {
        #expect(
            DefaultRequest<Item, ServerMessage>(path: "p").responseDecoding.accept
                == "application/json"
        )
        #expect(DefaultRequest<Data, ServerMessage>(path: "p").responseDecoding.accept == "*/*")
        #expect(DefaultRequest<Void, ServerMessage>(path: "p").responseDecoding.accept == "*/*")
        let first = DefaultRequest<(Item, Data), ServerMessage>(path: "p").responseDecoding
        let last = DefaultRequest<(Data, Item), ServerMessage>(path: "p").responseDecoding
        #expect(first.accept == "application/json" && last.accept == "application/json")
        #expect(
            DefaultRequest<(Data, String), ServerMessage>(path: "p").responseDecoding.accept
                == "*/*"
        )
    }

    @Test("decodes each part of a tuple from the same body, and nothing for Void")
    func tuples() throws {
        let response = try HTTPResponse.sample(#"{"id":1,"name":"Ada"}"#)
        let pair = DefaultRequest<(ID, Name), ServerMessage>(path: "p").responseDecoding
        let (id, name) = try pair.decode(response, JSONDecoder())
        #expect(id.id == 1 && name.name == "Ada" && pair.accept == "application/json")
        #expect(DefaultRequest<Void, ServerMessage>(path: "p").responseDecoding.readsBody == false)
    }

    @Test(
        "has no user of an absolute URL in its description",
        arguments: [
            ("https://s3cret@host.test/x?a=1", "GET https://host.test/x"),
            ("https://me:a/s3cret@host.test/x", "GET https://host.test/x"),
            ("users/1", "GET users/1"),
        ]
    )
    func description(path: String, shown: String) {
        let request = DefaultRequest<Item, ServerMessage>(path: path)
        #expect("\(request)" == shown)
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test("keeps all values of its initializer, and allows changes")
    func properties() throws {
        let decoder = JSONDecoder()
        var request = DefaultRequest<Item, ServerMessage>(
            path: "p",
            method: .put,
            queryParams: [("b", "2"), ("a", "1")],
            body: .string("t"),
            headers: ["X-A": "1"],
            timeout: 5,
            responseConverter: KeyPathResponseConverter(path: "a"),
            errorConverter: KeyPathResponseConverter(path: "b"),
            decoder: decoder,
            authToken: .bearer("t")
        )
        #expect(request.decoder === decoder && request.timeout == 5)
        #expect(request.responseConverter != nil && request.errorConverter != nil)
        request.path = "q"
        request.method = .post
        request.headers["X-A"] = "2"
        let encoded = try SampleEndpoint().encode(request)
        #expect(encoded.url.absoluteString == "http://host.test/api/q?b=2&a=1")
        #expect(encoded.method == .post)
        #expect(encoded.headers["X-A"] == "2")
        #expect(encoded.headers[.authorization] == "Bearer t")
        #expect(try encoded.bodyText() == "t")
    }
    @Test("has every requirement of Request as a settable property")
    func completeness() {
        let names = Set(ForwardingRequestTests.requirements.keys)
        #expect(names == Set(SetRequirements.all.keys))
        check(DefaultRequest<Int, ServerMessage>(path: ""))
        check(DefaultMultipartFormDataRequest<Int, ServerMessage>(path: "", method: .get))
    }

    private func check(_ request: some SettableRequest) {
        let plain = ForwardingRequestTests.Plain()
        for (name, read) in ForwardingRequestTests.requirements {
            #expect(read(request) == read(plain), "\(name) is not as by default")
            var changed: any SettableRequest = request
            SetRequirements.all[name]?(&changed)
            #expect(read(changed) != read(plain), "\(name) can't be set")
        }
    }
}

/// A request whose requirements can all be set.
///
/// A type that lacks one doesn't compile.
private protocol SettableRequest: Request where ResponseObjectType == Int {
    var path: String { get set }
    var method: HTTPMethod { get set }
    var queryParams: [(String, String)] { get set }
    var queryItems: [QueryItem] { get set }
    var body: RequestBody? { get set }
    var headers: HTTPHeaders { get set }
    var timeout: TimeInterval? { get set }
    var authToken: AuthToken? { get set }
    var isAuthenticated: Bool { get set }
    var responseConverter: (any ResponseJSONConverter)? { get set }
    var errorConverter: (any ResponseJSONConverter)? { get set }
    var endpoint: Endpoint? { get set }
    var decoder: JSONDecoder? { get set }
    var interceptors: [any Interceptor] { get set }
    var isCoalesced: Bool { get set }
    var retryPolicy: RetryPolicy? { get set }
    var cachePolicy: CachePolicy { get set }
    var priority: RequestPriority { get set }
    var context: RequestContext { get set }
    var redaction: Redaction? { get set }
    var responseDecoding: ResponseDecoding<Int> { get set }
}

extension DefaultRequest: SettableRequest where Response == Int {}
extension DefaultMultipartFormDataRequest: SettableRequest where Response == Int {}

private enum SetRequirements {
    /// Sets each requirement to another value than its default.
    static let all: [String: @Sendable (inout any SettableRequest) -> Void] = [
        "path": { $0.path = "p" },
        "method": { $0.method = .put },
        "queryParams": { $0.queryParams = [("a", "1")] },
        "queryItems": { $0.queryItems = [.flag("b")] },
        "body": { $0.body = .string("body") },
        "headers": { $0.headers = ["X-Full": "yes"] },
        "timeout": { $0.timeout = 7 },
        "authToken": { $0.authToken = .bearer("t") },
        "isAuthenticated": { $0.isAuthenticated = false },
        "responseConverter": { $0.responseConverter = ClosureResponseConverter { $0 } },
        "errorConverter": { $0.errorConverter = ClosureResponseConverter { $0 } },
        "endpoint": { $0.endpoint = URL(string: "http://h").map { Endpoint(baseURL: $0) } },
        "decoder": { $0.decoder = JSONDecoder() },
        "interceptors": { $0.interceptors = [TraceContext()] },
        "isCoalesced": { $0.isCoalesced = true },
        "retryPolicy": { $0.retryPolicy = .never },
        "cachePolicy": { $0.cachePolicy = .reload },
        "priority": { $0.priority = .high },
        "context": { $0.context[ForwardingRequestTests.Mark.self] = "full" },
        "redaction": { $0.redaction = Redaction.none },
        "responseDecoding": {
            $0.responseDecoding = ResponseDecoding(accept: "text/full") { _, _ in 0 }
        },
    ]
}
