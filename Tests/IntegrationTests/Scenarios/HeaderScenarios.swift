import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Request headers", .timeLimit(.minutes(15)))
struct HeaderScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @Test("asks for a range without a coding, unless the request names one")
    func ranges() async throws {
        for (headers, coding) in [
            (["Range": "bytes=0-9"] as HTTPHeaders, "identity"),
            (["Range": "bytes=0-9", "Accept-Encoding": "br"], "br"),
        ] {
            let request = TextRequest(path: "x", headers: headers)
            _ = try await endpoint.value(for: request)
            #expect(server.requests.last?.header("Accept-Encoding") == coding)
            #expect(try endpoint.cURL(for: request).contains("Accept-Encoding: \(coding)"))
        }
    }

    @Test("asks for a download without a coding, on the wire and in its command")
    func downloads() async throws {
        let folder = try TemporaryFolder()
        for isResuming in [true, false] {
            let request = TextRequest(path: "x")
                .download(to: folder.file("x"), resuming: isResuming)
            _ = try await endpoint.value(for: request)
            #expect(server.requests.last?.header("Accept-Encoding") == "identity")
            let command = try endpoint.cURL(for: request)
            #expect(command.contains("Accept-Encoding: identity"))
            #expect(command.contains("without the range") == isResuming)
        }
    }

    /// Each kind of token is one field on the wire, and reads back as what it was.
    @Test(
        "has the token in its field",
        arguments: [
            (AuthToken.bearer("a"), "Authorization", "Bearer a"),
            (.basic(username: "u", password: "p:q"), "Authorization", "Basic dTpwOnE="),
            (.basic(username: "ü", password: ""), "Authorization", "Basic w7w6"),
            (.custom("Digest d"), "Authorization", "Digest d"),
            (.custom(key: "X-Key", token: "k"), "X-Key", "k"),
        ]
    )
    func tokens(token: AuthToken, name: String, value: String) async throws {
        endpoint.headers.authToken = token
        #expect(endpoint.headers.authToken == token)
        _ = try await endpoint.value(for: TextRequest(path: "x"))
        let sent = try #require(server.requests.last)
        #expect(sent.headers(named: name) == [value])
        #expect((sent.header("Authorization") == nil) == (name != "Authorization"))
        let received = HTTPHeaders([HTTPHeaderName(name): value])
        if name == "Authorization" { #expect(received.authToken == token) }
    }

    /// A token replaces the one before it, in whatever field that was.
    @Test("has one token, the request's over the endpoint's")
    func tokenPrecedence() async throws {
        endpoint.headers.authToken = .bearer("old")
        endpoint.headers.authToken = .custom(key: "X-Key", token: "k")
        _ = try await endpoint.value(for: TextRequest(path: "x"))
        let first = try #require(server.requests.last)
        #expect(first.header("X-Key") == "k")
        #expect(first.header("Authorization") == nil)

        _ = try await endpoint.value(for: TextRequest(path: "x", authToken: .bearer("own")))
        let second = try #require(server.requests.last)
        #expect(second.headers(named: "Authorization") == ["Bearer own"])
        #expect(second.header("X-Key") == nil)
    }

    /// A Basic user name cannot have a colon (RFC 7617).
    @Test("rejects a colon in a Basic user name", arguments: CallStyle.allCases)
    func basicColon(style: CallStyle) async throws {
        endpoint.headers.authToken = .basic(username: "a:b", password: "c")
        let error = await style.outcome(of: TextRequest(path: "x"), on: endpoint).error
        #expect(error?.kind == .invalidRequest(.invalidHeader(name: "Authorization")))
        #expect(server.requests.isEmpty)
    }

    /// What the endpoint was made with is sent from the first request on.
    @Test("includes the endpoint's fields from the first request, and changes from the next")
    func defaults() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Session": "s", "X-Both": "session"]
        let endpoint = testEndpoint(
            baseURL: server.baseURL,
            sessionConfiguration: configuration,
            retryingCount: 0,
            headers: ["X-App": "app", "x-both": "endpoint"]
        )
        _ = try await endpoint.value(for: TextRequest(path: "x"))
        let first = try #require(server.requests.last)
        #expect(first.headers(named: "X-App") == ["app"])
        #expect(first.headers(named: "X-Session") == ["s"])
        #expect(first.headers(named: "X-Both") == ["endpoint"])

        endpoint.headers["X-App"] = nil
        endpoint.updateHeaders { $0[.acceptLanguage] = "de" }
        _ = try await endpoint.value(for: TextRequest(path: "x"))
        let second = try #require(server.requests.last)
        #expect(second.header("X-App") == nil)
        #expect(second.header("Accept-Language") == "de")
    }

    /// The request's field replaces the endpoint's whatever its letters' case.
    @Test(
        "has one copy of a field, the request's, in any letter case",
        arguments: ["X-Trace", "x-trace", "X-TRACE"]
    )
    func precedence(name: String) async throws {
        endpoint.headers["X-Trace"] = "endpoint"
        let headers: HTTPHeaders = [HTTPHeaderName(name): "request"]
        _ = try await endpoint.value(for: TextRequest(path: "x", headers: headers))
        let sent = try #require(server.requests.last)
        #expect(sent.headers(named: "X-Trace") == ["request"])
    }

    /// NetKit's own fields give way as well.
    @Test("uses the request's own Accept field")
    func accept() async throws {
        let headers: HTTPHeaders = ["accept": "application/vnd.api+json"]
        server.route(nil, "/item") { _ in .json(text: #"{"id":1}"#) }
        _ = try await endpoint.value(for: ItemRequest(path: "item", headers: headers))
        let sent = try #require(server.requests.last)
        #expect(sent.headers(named: "Accept") == ["application/vnd.api+json"])
        #expect(sent.header("Content-Type") == nil)
    }

    /// Nothing can be written behind a value.
    @Test(
        "rejects a line break before sending",
        arguments: [
            ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\u{0}b"), ("X A", "a"), ("", "a"),
            ("X-A\r\nX-B", "a"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked"),
            ("Connection", "close"), ("Host", "other"),
        ]
    )
    func injection(name: String, value: String) async throws {
        let headers: HTTPHeaders = [HTTPHeaderName(name): value]
        for style in CallStyle.allCases {
            let request = TextRequest(path: "x", headers: headers)
            let error = await style.outcome(of: request, on: endpoint).error
            #expect(error?.kind == .invalidRequest(.invalidHeader(name: name)))
        }
        #expect(server.requests.isEmpty)
    }

    /// What came back is found in any letter case.
    @Test("finds response fields in any letter case")
    func responseHeaders() async throws {
        server.route(nil, "/head") { _ in .text("ok").header("X-Left", "3") }
        let response = try await endpoint.response(for: TextRequest(path: "head"))
        #expect(response.http.headers["x-left"] == "3")
        #expect(response.http.headers[HTTPHeaderName("X-LEFT")] == "3")
        #expect(response.http.headers.contentType?.type == "text")
    }

    @Test("keeps repeated Set-Cookie fields and values separate or joined")
    func repeated() async throws {
        server.route("GET", "/several") { _ in
            .text("ok").header("Set-Cookie", "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT")
                .header("Set-Cookie", "b=2; Path=/").header("Vary", "Accept")
                .header("Vary", "Origin")
        }
        let headers = try await endpoint.response(for: TextRequest(path: "several")).http.headers
        let cookies = ["a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", "b=2; Path=/"]
        #expect(headers.values(for: .setCookie) == cookies && headers[.setCookie] == cookies[0])
        #expect(headers["vary"]?.replacing(" ", with: "") == "Accept,Origin")
        #expect(headers.filter { $0.name == .setCookie }.map(\.value) == cookies)

        endpoint.headers.append("1", for: "X-A")
        endpoint.headers.append("2", for: "X-A")
        _ = try await endpoint.value(for: TextRequest(path: "x"))
        let sent = try #require(server.requests.last).headers(named: "X-A")
        #expect(sent.joined(separator: ", ") == "1, 2")
    }
}
