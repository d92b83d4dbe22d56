import Foundation
import Testing

@testable import NetKit

@Suite("Header rules")
struct HeaderRulesTests {
    private struct Traced: Request {
        typealias ResponseObjectType = Data
        let path = "x"
        var headers: HTTPHeaders = [:]
        var authToken: AuthToken?
        @Header("X-Trace") var trace: String?
        @Header("Authorization") var authorization: String?
    }

    private func headers(
        endpoint: HTTPHeaders = [:],
        base: String = "http://host.test/api",
        _ request: some Request
    ) throws -> HTTPHeaders {
        try SampleEndpoint(base: base, headers: endpoint).encode(request).headers
    }

    @Test("prefers the more specific field, in one copy whatever the case")
    func precedence() throws {
        let endpoint: HTTPHeaders = ["accept": "text/a", "X-Trace": "endpoint", "X-Only": "1"]
        #expect(try headers(Sample(path: "x"))[.accept] == "*/*")
        #expect(try headers(endpoint: endpoint, Sample(path: "x"))[.accept] == "text/a")

        var request = Traced(headers: ["ACCEPT": "text/b", "x-trace": "request"])
        var sent = try headers(endpoint: endpoint, request)
        #expect(
            sent == [
                "Accept": "text/b", "X-Trace": "request", "X-Only": "1",
                "User-Agent": UserAgent.standard,
            ]
        )
        request.trace = "wrapper"
        sent = try headers(endpoint: endpoint, request)
        #expect(sent["X-Trace"] == "wrapper")
        #expect(sent.count == 4)
    }

    @Test("replaces the endpoint's token by the request's, and that by a parameter")
    func tokens() throws {
        var endpoint: HTTPHeaders = [:]
        endpoint.authToken = .bearer("endpoint")
        var request = Traced()
        #expect(try headers(endpoint: endpoint, request)[.authorization] == "Bearer endpoint")
        request.headers[.authorization] = "Bearer headers"
        #expect(try headers(endpoint: endpoint, request)[.authorization] == "Bearer headers")
        request.authToken = .bearer("request")
        #expect(try headers(endpoint: endpoint, request)[.authorization] == "Bearer request")
        request.authorization = "Bearer parameter"
        #expect(try headers(endpoint: endpoint, request)[.authorization] == "Bearer parameter")

        request = Traced(authToken: .header(name: "X-Api-Key", value: "k"))
        let sent = try headers(endpoint: endpoint, request)
        #expect(sent[.authorization] == nil)
        #expect(sent.isSensitive("X-Api-Key"))
    }

    @Test("sends the base URL's user and password as Basic, below every other token")
    func userInfo() throws {
        let base = "http://u:p@host.test/api"
        let sent = try SampleEndpoint(base: base).encode(Sample(path: "x"))
        #expect(sent.headers[.authorization] == "Basic dTpw")
        #expect(sent.headers.isSensitive(.authorization))
        #expect(sent.url.absoluteString == "http://host.test/api/x")

        let endpoint: HTTPHeaders = ["Authorization": "Bearer e"]
        #expect(
            try headers(endpoint: endpoint, base: base, Sample(path: "x"))
                == endpoint.merging(["Accept": "*/*", "User-Agent": UserAgent.standard])
        )
        let absolute = Sample(path: "http://v:q@host.test/x")
        #expect(
            try headers(endpoint: endpoint, base: base, absolute)[.authorization] == "Basic djpx"
        )
        let same = Sample(path: "http://host.test/x")
        #expect(try headers(base: base, same)[.authorization] == "Basic dTpw")
        let other = Sample(path: "http://other.test/x")
        #expect(try headers(base: base, other)[.authorization] == nil)
    }

    @Test(
        "removes the endpoint's credentials for another origin",
        arguments: [
            ("http://host.test/x", true), ("http://HOST.test:80/x", true), ("x", true),
            ("//other.test/x", true), ("https://host.test/x", false),
            ("http://host.test:81/x", false),
            ("http://other.test/x", false), ("http://host.test.other.test/", false),
            ("http://host.test@other.test/", false),
        ]
    )
    func origins(path: String, isOwn: Bool) throws {
        var endpoint: HTTPHeaders = ["Cookie": "c", "X-Plain": "p", "Host": "virtual.test"]
        endpoint.authToken = .header(name: "X-Api-Key", value: "k")
        endpoint.set("X-Marked", to: "m", isSensitive: true)
        endpoint.allowsHostOverride = true
        let sent = try headers(endpoint: endpoint, Sample(path: path))
        for name in ["Cookie", "X-Api-Key", "X-Marked", "Host"] as [HTTPHeaderName] {
            #expect((sent[name] != nil) == isOwn, "\(name)")
        }
        #expect(sent["X-Plain"] == "p")
        let explicit = Sample(path: path, authToken: .bearer("own"))
        #expect(try headers(endpoint: endpoint, explicit)[.authorization] == "Bearer own")
    }

    @Test("sends the fields that a redaction names as they are")
    func redactedFields() throws {
        let base = try #require(URL(string: "http://host.test/"))
        var defaults = EncodingDefaults(baseURL: base, headers: [:])
        defaults.redaction = Redaction(headers: ["X-Many", "X-Partner"])
        defaults.headers.append("a", for: "X-Many")
        defaults.headers.append("b", for: "X-Many")
        let request = Sample(path: "x", authToken: .custom(key: "X-Partner", token: "old"))
        var headers = try RequestEncoder.encode(request, defaults: defaults).headers
        #expect(headers.values(for: "X-Many") == ["a", "b"])
        #expect(headers.isSensitive("X-Many") && headers.isSensitive("X-Partner"))
        headers.authToken = .bearer("new")
        #expect(headers["X-Partner"] == nil)
    }

    @Test(
        "omits the endpoint's credentials from an unauthenticated request",
        arguments: [true, false]
    )
    func withoutCredentials(isAuthenticated: Bool) throws {
        var endpoint: HTTPHeaders = ["Cookie": "c", "X-Plain": "p", "X-Named": "n"]
        endpoint.authToken = .header(name: "X-Api-Key", value: "k")
        endpoint.set("X-Marked", to: "m", isSensitive: true)
        let base = try #require(URL(string: "http://u:p@host.test/api"))
        var defaults = EncodingDefaults(baseURL: base, headers: endpoint)
        defaults.redaction = Redaction(headers: ["X-Named"])
        var request = Sample(path: "x")
        request.isAuthenticated = isAuthenticated
        var encoded = try RequestEncoder.encode(request, defaults: defaults)
        #expect(encoded.isAuthenticated == isAuthenticated)
        for name in ["Cookie", "X-Api-Key", "X-Marked", "X-Named"] as [HTTPHeaderName] {
            #expect((encoded.headers[name] != nil) == isAuthenticated, "\(name)")
        }
        #expect(encoded.headers["X-Plain"] == "p")
        defaults.headers = [:]
        encoded = try RequestEncoder.encode(request, defaults: defaults)
        #expect((encoded.headers[.authorization] != nil) == isAuthenticated)
        // What the request says itself goes along.
        request.authToken = .bearer("own")
        encoded = try RequestEncoder.encode(request, defaults: defaults)
        #expect(encoded.headers[.authorization] == "Bearer own")
    }

    @Test(
        "rejects a field that would end its line, or whose name isn't a token",
        arguments: [
            ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\rb"), ("X-A", "\u{0}"), ("", "a"),
            ("X A", "a"), ("X-A:", "a"), ("X-A\r\nX-B", "a"), ("X-Ä", "a"), ("\"X\"", "a"),
        ]
    )
    func injection(name: String, value: String) throws {
        let fields: HTTPHeaders = [HTTPHeaderName(name): value]
        let endpoint = SampleEndpoint()
        let expected = InvalidRequest.Reason.invalidHeader(name: name)
        #expect(try endpoint.refusal(Sample(path: "x", headers: fields)) == expected)
        #expect(try SampleEndpoint(headers: fields).refusal(Sample(path: "x")) == expected)
        let token = AuthToken.header(name: HTTPHeaderName(name), value: value)
        #expect(try endpoint.refusal(Sample(path: "x", authToken: token)) == expected)
    }

    @Test("rejects a parameter or token that would end its line")
    func injectedParameters() throws {
        var request = Traced()
        request.trace = "a\r\nX-B: b"
        #expect(try SampleEndpoint().refusal(request) == .invalidHeader(name: "X-Trace"))
        for token in [
            .bearer("t\r\nX: y"), .custom("a\nb"), .basic(username: "a:b", password: "p"),
            .basic(username: "a", password: "\r\n"),
        ] as [AuthToken] {
            let request = Sample(path: "x", authToken: token)
            #expect(try SampleEndpoint().refusal(request) == .invalidHeader(name: "Authorization"))
        }
    }

    @Test(
        "says why a field can't be sent",
        arguments: [
            ("X-A", "a\r\nX-B: b", "the value contains a line break"),
            ("X-A", "a\u{0}", "the value contains a control character"),
            ("X A", "a", "the name is not a token (RFC 9110, section 5.1)"),
            ("Content-Length", "1", "NetKit sets it"),
            ("Host", "h", "NetKit sets it from the URL, unless allowsHostOverride is true"),
        ]
    )
    func problems(name: String, value: String, problem: String) throws {
        let fields: HTTPHeaders = [HTTPHeaderName(name): value]
        let refusal = try SampleEndpoint().invalid(Sample(path: "x", headers: fields))
        #expect(refusal?.message == "header field \"\(name)\": \(problem)")
    }

    @Test(
        "sends NetKit's User-Agent below every other one, and none for an empty one",
        arguments: [
            (nil, nil, "NetKit/0.1.0"), ("App/1", nil, "App/1"), (nil, "Own/2", "Own/2"),
            ("App/1", "Own/2", "Own/2"), ("", nil, nil), ("App/1", "", nil), (nil, " ", nil),
            ("", "Own/2", "Own/2"),
        ] as [(String?, String?, String?)]
    )
    func userAgent(endpoint: String?, own: String?, sent: String?) throws {
        var (defaults, fields) = (HTTPHeaders(), HTTPHeaders())
        defaults[.userAgent] = endpoint
        fields["user-agent"] = own
        let request = Sample(path: "x", headers: fields)
        let headers = try headers(endpoint: defaults, request)
        #expect(headers[.userAgent] == sent)
        #expect(headers.values(for: .userAgent).count == (sent == nil ? 0 : 1))
    }

    @Test("sends any other value unchanged", arguments: ["é", "a\tb", "", "🙂", "a,b;c=\"d\""])
    func values(value: String) throws {
        #expect(try headers(Sample(path: "x", headers: ["X-A": value]))["X-A"] == value)
    }

    @Test(
        "rejects fields owned by the transport, in any case",
        arguments: [
            "Content-Length", "content-length", "Transfer-Encoding", "Connection", "Keep-Alive",
            "TE",
            "Trailer", "Upgrade", "Proxy-Connection", "HOST",
        ]
    )
    func reserved(name: String) throws {
        let request = Sample(path: "x", headers: [HTTPHeaderName(name): "1"])
        #expect(try SampleEndpoint().refusal(request) == .invalidHeader(name: name))
    }

    @Test("sends a custom Host")
    func hostOverride() throws {
        var fields: HTTPHeaders = ["Host": "virtual.test"]
        fields.allowsHostOverride = true
        #expect(try headers(Sample(path: "x", headers: fields))["Host"] == "virtual.test")
        #expect(try headers(endpoint: fields, Sample(path: "x"))["Host"] == "virtual.test")
    }

    @Test("sends no Content-Type with a body if it is empty")
    func emptyContentType() throws {
        for body in [RequestBody.raw(Data("x".utf8)), ["a": 1], .form(["a": "1"])] {
            let post = Sample(path: "x", method: .post, body: body, headers: [.contentType: ""])
            #expect(try headers(post)[.contentType] == nil)
        }
    }

    @Test("sends no Content-Type without a body")
    func contentTypeWithoutBody() throws {
        let fields: HTTPHeaders = ["content-type": "application/json"]
        #expect(
            try headers(endpoint: fields, Sample(path: "x", headers: fields))[.contentType] == nil
        )
        let post = Sample(path: "x", method: .post)
        #expect(try headers(endpoint: fields, post)[.contentType] == nil)
    }
}
