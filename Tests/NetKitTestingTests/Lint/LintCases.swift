import Foundation
import NetKit
import NetKitTesting

/// Requests for the linter.
enum LintCases {
    typealias Plain = LintTests.Plain
    typealias Found = LintTests.Found
    typealias Upload = DefaultMultipartFormDataRequest<Void, ServerMessage>

    static let plainHTTP = endpoint("http://host.test/api")
    static let encrypted = endpoint("https://host.test/api")

    static func endpoint(
        _ base: String,
        headers: HTTPHeaders = [:],
        retries: RetryPolicy = .standard
    ) -> Endpoint {
        let url = URL(string: base) ?? URL(fileURLWithPath: "/")
        let endpoint = Endpoint(baseURL: url, headers: headers)
        endpoint.retryPolicy = retries
        return endpoint
    }

    static func with<R: Request>(_ request: R, _ change: (inout R) -> Void) -> R {
        var copy = request
        change(&copy)
        return copy
    }

    private static func mistake(
        _ name: String,
        _ request: any Request,
        on endpoint: Endpoint? = nil,
        _ found: Found...
    ) -> LintTests.Case {
        LintTests.Case(name: name, request: request, endpoint: endpoint, found: found)
    }

    static let repeatingPosts = RetryPolicy(maximumRetries: 1, methods: [.get, .post])
    static let bytes = RequestBody.raw(Data([1]))
    static let basic = BasicAuthentication(username: "u", password: "p")

    static let mistakes: [LintTests.Case] = parameters + bodies + headers + targets + refused

    private static let parameters = [
        mistake(
            "properties of types that are not quite the request's",
            NearlyTyped(),
            Found(.mistypedProperty, "timeout"),
            Found(.mistypedProperty, "headers"),
            Found(.mistypedProperty, "priority")
        ),
        mistake("a path value that is nil", WithPath(), Found(.unsetParameter, "id")),
        mistake("a query value never set", WithQuery(), Found(.unsetParameter, "q")),
        mistake("a header never set", WithHeader(), Found(.unsetParameter, "X-Trace")),
        mistake("raw data never set", WithRawData(), Found(.unsetParameter, "")),
        mistake("an object never set", WithObject(), Found(.unsetParameter, "")),
        mistake("a subclass's value never set", Child(), Found(.unsetParameter, "page")),
        mistake(
            "a value never set in a download",
            WithQuery().download(to: URL(fileURLWithPath: "/nowhere")),
            Found(.unsetParameter, "q")
        ),
        mistake(
            "placeholders without parameters",
            Plain(path: "a/{b}/{c}"),
            Found(.placeholderWithoutParameter, "b"),
            Found(.placeholderWithoutParameter, "c")
        ),
        mistake(
            "a placeholder of another name",
            with(WithPath(path: "users/{userId}")) { $0.id = 1 },
            Found(.placeholderWithoutParameter, "userId"),
            Found(.parameterWithoutPlaceholder, "id")
        ),
        mistake(
            "a placeholder of another pattern",
            WithColon(path: "users/{id}"),
            Found(.placeholderWithoutParameter, "id"),
            Found(.parameterWithoutPlaceholder, "id")
        ),
        mistake(
            "a path value without a place",
            with(WithPath(path: "users")) { $0.id = 1 },
            Found(.parameterWithoutPlaceholder, "id")
        ),
        mistake("a segment upwards", Plain(path: "a/../b"), Found(.dotSegments, "..")),
        mistake("an encoded segment upwards", Plain(path: "%2E./b"), Found(.dotSegments, "..")),
        mistake(
            "a segment upwards after a number sign",
            Plain(path: "a#b/../c"),
            Found(.dotSegments, "..")
        ),
    ]

    private static let bodies = [
        mistake(
            "a GET with a body",
            Plain(path: "x", body: .params([:])),
            Found(.unexpectedBody, "GET")
        ),
        mistake(
            "a GET with a body, and a method that is a text",
            WithMethodText(method: "GET", body: .params([:])),
            Found(.unexpectedBody, "GET")
        ),
        mistake(
            "a HEAD with an object",
            with(WithObject(method: .head)) { $0.item = [:] },
            Found(.unexpectedBody, "HEAD")
        ),
        mistake(
            "a TRACE with files",
            Upload(path: "x", method: .trace, files: []),
            Found(.unexpectedBody, "TRACE")
        ),
        mistake("two objects", WithTwoObjects(), Found(.multipleBodies, "body")),
        mistake(
            "an object over a body",
            with(WithObject(body: .string("a"))) { $0.item = ["a": 1] },
            Found(.multipleBodies, "body")
        ),
        mistake(
            "bytes without a type",
            Plain(path: "x", method: .post, body: bytes),
            on: encrypted,
            Found(.bodyWithoutContentType, "Content-Type")
        ),
        mistake(
            "raw data without a type",
            with(WithRawData()) { $0.data = Data([1]) },
            Found(.bodyWithoutContentType, "Content-Type")
        ),
    ]

    private static let headers = [
        mistake(
            "a header and a wrapper that differ",
            with(WithHeader(headers: ["x-trace": "a"])) { $0.trace = "b" },
            Found(.conflictingHeader, "x-trace")
        ),
        mistake(
            "three tokens",
            with(WithHeader(headers: ["Authorization": "a"], authToken: .bearer("b"))) { request in
                request.trace = "t"
                request.authorization = "c"
            },
            Found(.conflictingHeader, "Authorization")
        ),
        mistake(
            "a token in a field of its own, and an Authorization",
            Plain(
                path: "x",
                headers: ["Authorization": "a"],
                authToken: .header(name: "X-Key", value: "b")
            ),
            Found(.conflictingHeader, "Authorization")
        ),
        mistake(
            "fields that must not be sent",
            Plain(path: "x", headers: ["X-A": "a\r\nX-B: b", "Content-Length": "1", "X C": "c"]),
            Found(.refusedHeader, "X-A"),
            Found(.refusedHeader, "Content-Length"),
            Found(.refusedHeader, "X C")
        ),
        mistake(
            "another host",
            Plain(path: "x", headers: ["Host": "other.test"]),
            Found(.refusedHeader, "Host")
        ),
        mistake(
            "a user name with a colon",
            Plain(path: "x", authToken: .basic(username: "a:b", password: "c")),
            Found(.refusedHeader, "Authorization")
        ),
    ]

    private static let targets = [
        mistake(
            "one name in two places of the query",
            with(WithQuery(queryParams: [("q", "a")])) { $0.text = "a" },
            Found(.conflictingQuery, "q")
        ),
        mistake(
            "one name in path and base URL",
            Plain(path: "x?a%62=1"),
            on: endpoint("https://host.test/?ab=2"),
            Found(.conflictingQuery, "ab")
        ),
        mistake(
            "one name in the base URL and the endpoint's query",
            Plain(path: "x"),
            on: endpoint("https://host.test/?a=1").derived { $0.queryParams = [("a", "2")] },
            Found(.conflictingQuery, "a")
        ),
        mistake(
            "a secret in the query after a number sign",
            Plain(path: "a#b?access_token=1"),
            Found(.secretInQuery, "access_token")
        ),
        mistake(
            "secrets in the query",
            Plain(path: "x?access_token=1#f", queryParams: [("api_key", "2"), ("q", "3")]),
            Found(.secretInQuery, "access_token"),
            Found(.secretInQuery, "api_key")
        ),
        mistake(
            "a token over http",
            Plain(path: "x", authToken: .custom(key: "X-Me", token: "a")),
            on: plainHTTP,
            Found(.credentialWithoutEncryption, "host.test")
        ),
        mistake(
            "the endpoint's key over http",
            Plain(path: "x"),
            on: endpoint("http://host.test", headers: ["X-Api-Key": "a"]),
            Found(.credentialWithoutEncryption, "host.test")
        ),
        mistake(
            "the endpoint's marked field over http, to a whole URL at its origin",
            Plain(path: "http://host.test:80/x"),
            on: plainHTTP.derived { $0.headers.set("X-Me", to: "a", isSensitive: true) },
            Found(.credentialWithoutEncryption, "host.test")
        ),
        mistake(
            "the endpoint's authentication over http",
            Plain(path: "x"),
            on: plainHTTP.derived { $0.authentication = basic },
            Found(.credentialWithoutEncryption, "host.test")
        ),
        mistake(
            "a key in the endpoint's query over http",
            Plain(path: "x"),
            on: plainHTTP.derived { $0.queryParams = [("api_key", "a")] },
            Found(.secretInQuery, "api_key"),
            Found(.credentialWithoutEncryption, "host.test")
        ),
        mistake(
            "the base URL's password over http",
            Plain(path: "x"),
            on: endpoint("http://u:p@host.test"),
            Found(.credentialWithoutEncryption, "host.test")
        ),
        mistake(
            "a token to a whole URL over http",
            Plain(path: "http://other.test/x", authToken: .bearer("a")),
            Found(.credentialWithoutEncryption, "other.test")
        ),
        mistake(
            "a token to a host that begins like the loopback interface",
            Plain(path: "http://127.0.0.1.test/x", authToken: .bearer("a")),
            Found(.credentialWithoutEncryption, "127.0.0.1.test")
        ),
        mistake(
            "a POST that is repeated",
            Plain(path: "x", method: .post),
            on: endpoint("https://host.test", retries: repeatingPosts),
            Found(.unsafeRetry, "POST")
        ),
        mistake(
            "a method that is a text, and is repeated",
            WithMethodText(),
            on: endpoint("https://host.test", retries: repeatingPosts),
            Found(.unsafeRetry, "POST")
        ),
        mistake(
            "a POST that its own policy repeats",
            with(Plain(path: "x", method: .post)) { $0.retryPolicy = repeatingPosts },
            on: encrypted,
            Found(.unsafeRetry, "POST")
        ),
    ]

    private static let refused = [
        mistake("an empty path value", PathText(value: ""), Found(.refused, "value")),
        mistake("dots as a path value", PathText(value: ".."), Found(.refused, "value")),
        mistake(
            "a method that is no token",
            Plain(path: "x", method: .custom("A B")),
            Found(.refused, "A B")
        ),
        mistake(
            "a number that JSON has not",
            Plain(path: "x", method: .post, body: .params(["a": ["b": Double.nan]])),
            Found(.refused, "a.b")
        ),
        mistake(
            "a file that is missing",
            Plain(path: "x", method: .post, body: .file(URL(fileURLWithPath: "/nowhere/a.png"))),
            Found(.refused, "/nowhere/a.png")
        ),
        mistake("raw data beside files", RawUpload(), Found(.refused, "raw data beside files")),
        mistake(
            "an endpoint that is none",
            Plain(path: "x"),
            on: endpoint("ftp://host.test"),
            Found(.refused, "ftp://host.test")
        ),
        mistake(
            "an endpoint's field that is none",
            Plain(path: "x"),
            on: endpoint("https://host.test", headers: ["X A": "a"]),
            Found(.refused, "X A")
        ),
        mistake(
            "several at once",
            Plain(path: "{a}", method: .custom(""), headers: ["X A": "a"]),
            Found(.placeholderWithoutParameter, "a"),
            Found(.refusedHeader, "X A"),
            Found(.refused, "")
        ),
    ]
}
