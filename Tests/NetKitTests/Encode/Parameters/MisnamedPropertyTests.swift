import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Misnamed request property")
struct MisnamedPropertyTests {
    private struct Ignored: Request {
        typealias ResponseObjectType = Data
        let path: String
        var query: [String: String] = [:]
        var params: [String: Int]?
        var parameters: [URLQueryItem] = []
        var httpMethod = HTTPMethod.get
        var httpBody: Data?
        var requestBody: RequestBody?
        var header: [String: String] = [:]
        var baseURL: URL?
        var url: String?
        var body: RequestBody?
        var method: HTTPMethod { body == nil ? .get : .post }
    }

    /// Names of other clients, whose values nothing uses.
    private struct OtherNames: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        var requiresAuthentication: Bool?
        var timeoutInterval: Double?
        var queryParameters: [String: String] = [:]
        var httpHeaders: [String: String] = [:]
        var bodyParameters: [String: Int] = [:]
        var headerParameters: [String: String] = [:]
        var authorizationToken: String?
        var isAuthenticated = true
    }

    private struct Used: Request {
        typealias ResponseObjectType = Data
        var path: String { "find/\(query)" }
        var endpoint: Endpoint? { Endpoint(baseURL: baseURL) }
        let query: String
        let baseURL: URL
    }

    private let sample = SampleEndpoint()

    private func refusal(_ change: (inout Ignored) -> Void) throws -> String? {
        var request = Ignored(path: "x")
        change(&request)
        guard let refusal = try sample.invalid(request) else { return nil }
        return "\(refusal)"
    }

    @Test("is one of another client, unless it says what holds anyway")
    func otherNames() throws {
        let requests: [(OtherNames, String?)] = [
            (OtherNames(requiresAuthentication: false), "isAuthenticated: Bool"),
            (OtherNames(requiresAuthentication: true), nil),
            (OtherNames(requiresAuthentication: false, isAuthenticated: false), nil),
            (OtherNames(timeoutInterval: 5), "timeout: Duration?"),
            (OtherNames(queryParameters: ["q": "1"]), "queryParams: [(String, String)]"),
            (OtherNames(httpHeaders: ["X": "1"]), "headers: HTTPHeaders"),
            (OtherNames(bodyParameters: ["q": 1]), "queryParams: [(String, String)]"),
            (OtherNames(headerParameters: ["X": "1"]), "headers: HTTPHeaders"),
            (OtherNames(authorizationToken: "t"), "authToken: AuthToken?"),
            (OtherNames(), nil),
        ]
        for (request, expected) in requests {
            #expect(MistypedProperty.ignored(in: request)?.expected == expected)
        }
    }

    @Test("is used for a method's text, or for a Duration")
    func usedByOtherTypes() throws {
        struct Textual: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let httpMethod = "DELETE"
            var method: String { httpMethod }
        }
        struct Timed: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let timeoutInterval = 5.0
            var timeout: Duration { .seconds(timeoutInterval) }
        }
        #expect(try sample.refusal(Textual()) == nil && sample.refusal(Timed()) == nil)
    }

    @Test("is rejected, unless it is empty or the request uses it")
    func misnamed() throws {
        let url = try #require(URL(string: "https://h.test/x"))
        let found = try [
            refusal { $0.query = ["a": "b"] }, refusal { $0.params = ["a": 1] },
            refusal { $0.parameters = [URLQueryItem(name: "a", value: "b")] },
            refusal { $0.httpMethod = .put }, refusal { $0.httpBody = Data([1]) },
            refusal { $0.header = ["a": "b"] },
            refusal { $0.baseURL = url.appendingPathComponent("api") },
            refusal { $0.url = "h.test" }, refusal { $0.requestBody = .string("x") },
        ]
        #expect(
            found.map { $0?.split(separator: " ").dropFirst(6).first { $0.hasSuffix(":") } } == [
                "queryParams:", "queryParams:", "queryParams:", "method:", "body:", "headers:",
                "endpoint:", "endpoint:", "body:",
            ]
        )
        #expect(
            found[0] == "property \"query\" would be ignored: declare it as "
                + "queryParams: [(String, String)], not Dictionary<String, String>"
        )
        struct Login: Request {
            typealias ResponseObjectType = Data
            let path = "login"
            let method: HTTPMethod = .post
            let parameters = ["password": "x"]
        }
        // In a query, they would be in logs.
        let expected = InvalidRequest.Reason.mistypedProperty(
            name: "parameters",
            type: "Dictionary<String, String>",
            expected: "body: RequestBody? = .params(…)"
        )
        #expect(try sample.refusal(Login()) == expected)
        #expect(found[3]?.hasSuffix("declare method: HTTPMethod") == true)
        #expect(try refusal { _ in } == nil)
        #expect(try refusal { ($0.params, $0.body) = (["a": 1], .string("b")) } == nil)
        #expect(
            try sample.url(Used(query: "a b", baseURL: url)).hasSuffix("find/a%20b")
        )
        // A body or a parameter has no use for a base.
        let base = url.appendingPathComponent("api")
        #expect(try refusal { ($0.url, $0.body) = ("h.test", .string("b")) } == nil)
        #expect(try refusal { ($0.baseURL, $0.body) = (base, .string("b")) } != nil)
        #expect(
            try refusal { ($0.baseURL, $0.httpMethod, $0.body) = (url, .put, .string("b")) } == nil
        )
    }

    @Test("is a request's files if nothing sends them")
    func files() throws {
        struct Upload<Files: Sendable>: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let method: HTTPMethod = .post
            let files: Files
            var body: RequestBody?
        }
        let file = DefaultMultipartFile(resource: Data([1]), mime: .json, fileName: "x")
        let expected = "files of a MultipartFormDataRequest"
        let many: [any MultipartFile] = [file]
        #expect(MistypedProperty.ignored(in: Upload(files: many))?.expected == expected)
        #expect(MistypedProperty.ignored(in: Upload(files: [file]))?.expected == expected)
        #expect(MistypedProperty.ignored(in: Upload(files: many, body: .string("x"))) == nil)
        #expect(MistypedProperty.ignored(in: Upload(files: [any MultipartFile]())) == nil)
        #expect(MistypedProperty.ignored(in: Upload(files: ["a.txt"])) == nil)
    }

    @Test("may be a part of the path or a header field, with its properties")
    func usedInPlaces() throws {
        struct Asking<Value: Sendable>: Request {
            typealias ResponseObjectType = Data
            let path: String
            let query: Value
            var headers: HTTPHeaders = [:]
        }
        enum Kind: String { case open }
        struct Shelf {
            let id: Int
            let kind: Kind
        }
        struct Deleting: Request {
            typealias ResponseObjectType = Data
            let path = "users/delete"
            let httpMethod = "DELETE"
        }
        let requests: [(any Request, Bool)] = [
            (Asking(path: "items/7", query: 7), true), (Asking(path: "items/17", query: 7), false),
            (Asking(path: "items/open", query: Kind.open), true),
            (Asking(path: "s/7/x", query: Shelf(id: 7, kind: .open)), true),
            (Asking(path: "s/OPEN", query: Shelf(id: 7, kind: .open)), true),
            (Asking(path: "s/8", query: Shelf(id: 7, kind: .open)), false),
            (Asking(path: "items/foo", query: "Foo"), true),
            (Asking(path: "itemsFoo", query: "Foo"), true),
            (Asking(path: "x", query: "abc", headers: ["X-Query": "q=abc"]), true),
            (Asking(path: "x", query: "abc", headers: ["X-Query": "abcd"]), false),
            (Asking(path: "items", query: ["items": "items"]), false), (Deleting(), false),
        ]
        for (request, isUsed) in requests {
            #expect(try (sample.refusal(request) == nil) == isUsed, "\(request)")
        }
    }

    @Test("may be a part of a form's files or of the credential, or a URL whose part the path has")
    func usedElsewhere() throws {
        struct Upload: MultipartFormDataRequest {
            typealias ResponseObjectType = Data
            let path = "avatar"
            let url: URL
            var files: [any MultipartFile] { [DefaultMultipartFile(file: url, name: "avatar")] }
        }
        struct Token: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let header = "Basic eA=="
            var authToken: AuthToken? { .custom(header) }
        }
        struct Status: Request {
            typealias ResponseObjectType = Data
            let path: String
            let url: URL
        }
        let url = try #require(URL(string: "https://shop.test/cart"))
        #expect(MistypedProperty.ignored(in: Upload(url: url)) == nil)
        #expect(MistypedProperty.ignored(in: Token()) == nil)
        for (path, isUsed) in [
            ("domains/shop.test/status", true), ("files/cart/raw", true), ("/cart?page=2", true),
            ("files/carts", false), ("x", false),
        ] {
            let ignored = MistypedProperty.ignored(in: Status(path: path, url: url))
            #expect((ignored == nil) == isUsed, "\(path)")
        }
    }

    @Test("called timeoutInterval or requiresAuth may be a part of the query or the body")
    func usedByParameters() throws {
        struct Polling: Request {
            typealias ResponseObjectType = Data
            var path = "x"
            var method = HTTPMethod.get
            var timeoutInterval: Double?
            var requiresAuth: Bool?
            var headers: HTTPHeaders = [:]
            var queryParams: [(String, String)] = []
            var queryItems: [QueryItem] = []
            var body: RequestBody?
        }
        struct Filter: Encodable, Sendable { let limit: Int }
        struct Wrapped: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let method = HTTPMethod.post
            @Query("wait") var wait: Int
            @Object var filter: Filter
            let timeoutInterval = 30.0

            init(wait: Int, limit: Int) {
                (self.wait, filter) = (wait, Filter(limit: limit))
            }
        }
        let requests: [(any Request, Bool)] = [
            (Wrapped(wait: 30, limit: 1), true), (Wrapped(wait: 1, limit: 30), true),
            (Wrapped(wait: 1, limit: 2), false),
            (
                Polling(timeoutInterval: 30, queryItems: [QueryItem(name: "t", value: "30")]),
                true
            ),
            (Polling(timeoutInterval: 30, queryItems: [.flag("a")]), false),
            (Polling(timeoutInterval: 30, queryParams: [("t", "30")]), true),
            (Polling(timeoutInterval: 30, queryParams: [("t", "300")]), false),
            (Polling(path: "x?timeout=30", timeoutInterval: 30), true),
            (Polling(timeoutInterval: 30, headers: ["X-Api-Version": "2022-11-30"]), false),
            (Polling(requiresAuth: false, queryParams: [("requires_auth", "false")]), true),
            (Polling(requiresAuth: false, queryParams: [("archived", "false")]), false),
            (Polling(path: "flags/false", requiresAuth: false), false),
            (Polling(requiresAuth: false, headers: ["X-Trace": "false"]), false),
            (Polling(method: .post, timeoutInterval: 30, body: .params(["limit": 30])), true),
            (Polling(method: .post, timeoutInterval: 30, body: .params(["at": "10:30"])), false),
            (
                Polling(method: .put, requiresAuth: false, body: .form([("requires_auth", "0")])),
                true
            ),
            // The endpoint's credential would go along with those of a login.
            (Polling(method: .post, requiresAuth: false, body: .params(["keep": false])), false),
        ]
        for (request, isUsed) in requests {
            #expect(try (sample.refusal(request) == nil) == isUsed, "\(request)")
        }
    }

    @Test("is reflected only without parameters, and not without a limit")
    func reflected() {
        struct Tree: CustomReflectable, Sendable {
            let visits: Locked<Int>
            var customMirror: Mirror {
                visits.withLock { $0 += 1 }
                return Mirror(self, unlabeledChildren: [self, self])
            }
        }
        struct Asking: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let query: Tree
            var queryParams: [(String, String)] = []
        }
        let tree = Tree(visits: Locked(0))
        let used = Asking(query: tree, queryParams: [("a", "b")])
        #expect(MistypedProperty.ignored(in: used) == nil && tree.visits.withLock { $0 } == 0)
        #expect(MistypedProperty.ignored(in: Asking(query: tree)) != nil)
        #expect(tree.visits.withLock { $0 } == 64)
    }
}
