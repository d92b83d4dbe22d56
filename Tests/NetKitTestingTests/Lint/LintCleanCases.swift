import Foundation
import NetKit

// Requests that nothing is wrong with, many of them close to one that something is.
extension LintCases {
    static let clean = [
        clean("nothing but a path", Plain(path: "x")),
        clean("an empty path", Plain(path: "")),
        clean(
            "a whole URL at another host, to which the endpoint's key does not go",
            Plain(path: "http://other.test/x"),
            on: endpoint("https://host.test", headers: ["X-Api-Key": "a"])
        ),
        clean("a path value", with(WithPath()) { $0.id = 1 }, on: encrypted),
        clean("a path value that looks like a placeholder", PathText(value: "{x}")),
        clean("a path value of another pattern", WithColon()),
        clean("a query with a list", with(WithQuery()) { $0.text = "a" }, on: encrypted),
        clean(
            "a name twice in one place",
            Plain(path: "x", queryParams: [("a", "1"), ("a", "2")])
        ),
        clean("a token for the next page", Plain(path: "x", queryParams: [("pageToken", "1")])),
        clean(
            "one value in two places",
            with(WithHeader(headers: ["X-Trace": "a"])) { $0.trace = "a" }
        ),
        clean(
            "another host by consent",
            with(Plain(path: "x", headers: ["Host": "a.test"])) { request in
                request.headers.allowsHostOverride = true
            }
        ),
        clean(
            "the endpoint's field replaced",
            Plain(path: "x", headers: ["X-App": "b"]),
            on: endpoint("https://host.test", headers: ["X-App": "a"])
        ),
        clean("a segment that begins with dots", Plain(path: "..a/.../.b?c=../d")),
        clean(
            "bytes with a type",
            Plain(path: "x", method: .put, body: bytes, headers: ["Content-Type": "image/png"])
        ),
        clean(
            "bytes with the endpoint's type",
            Plain(path: "x", method: .put, body: bytes),
            on: endpoint("https://host.test", headers: ["Content-Type": "image/png"])
        ),
        clean(
            "raw data with a type",
            with(WithRawData(headers: ["Content-Type": "image/png"])) { $0.data = Data() }
        ),
        clean(
            "a body, and a method that is a text",
            WithMethodText(body: .params(["a": 1])),
            on: encrypted
        ),
        clean("an object", with(WithObject()) { $0.item = ["a": 1] }, on: encrypted),
        clean("a token over https", Plain(path: "x", authToken: .bearer("a")), on: encrypted),
        clean(
            "a token on the loopback interface",
            Plain(path: "x", authToken: .bearer("a")),
            on: endpoint("http://127.0.0.1:8080")
        ),
        clean(
            "a token on localhost",
            Plain(path: "x", authToken: .bearer("a")),
            on: endpoint("http://localhost")
        ),
        clean("no credential over http", Plain(path: "x", headers: ["X-App": "a"]), on: plainHTTP),
        clean(
            "the endpoint's token left behind",
            Plain(path: "http://other.test/x"),
            on: endpoint("https://host.test", headers: ["Authorization": "a"])
        ),
        clean(
            "the endpoint's query and authentication left behind",
            Plain(path: "http://other.test/x"),
            on: encrypted.derived { endpoint in
                endpoint.queryParams = [("api_key", "a")]
                endpoint.authentication = basic
            }
        ),
        clean(
            "an item of the endpoint's query replaced",
            Plain(path: "x?a=1"),
            on: encrypted.derived { $0.queryParams = [("a", "2")] }
        ),
        clean(
            "a request without the endpoint's authentication over http",
            with(Plain(path: "x")) { $0.isAuthenticated = false },
            on: plainHTTP.derived { $0.authentication = basic }
        ),
        clean("a POST that is not repeated", Plain(path: "x", method: .post), on: encrypted),
        clean(
            "a POST that its own policy does not repeat",
            with(Plain(path: "x", method: .post)) { $0.retryPolicy = .never },
            on: endpoint("https://host.test", retries: repeatingPosts)
        ),
        clean(
            "a request without the endpoint's token over http",
            with(Plain(path: "x")) { $0.isAuthenticated = false },
            on: endpoint("http://host.test", headers: ["Authorization": "a"])
        ),
        clean(
            "a POST repeated with a key",
            Plain(path: "x", method: .post, headers: ["Idempotency-Key": "a"]),
            on: endpoint("https://host.test", retries: repeatingPosts)
        ),
        clean(
            "a form with files",
            Upload(
                path: "x",
                body: .form([("a", "b")]),
                files: [DefaultMultipartFile(resource: Data(), mime: .binary, fileName: "a")]
            ),
            on: encrypted
        ),
        clean("a choice without a value", Choice.all, on: encrypted),
        clean("a choice with a value", Choice.one(1), on: encrypted),
        clean("a choice with a body", Choice.add("a"), on: encrypted),
        clean("a class", Parent(), on: encrypted),
    ]

    private static func clean(
        _ name: String,
        _ request: any Request,
        on endpoint: Endpoint? = nil
    ) -> LintTests.Case {
        LintTests.Case(name: name, request: request, endpoint: endpoint, found: [])
    }
}
