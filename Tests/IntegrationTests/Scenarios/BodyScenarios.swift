import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Request body", .timeLimit(.minutes(15)))
struct BodyScenarios {
    /// Something without a JSON form.
    private struct Opaque: Sendable {}

    private struct Post: Encodable, Sendable {
        let title: String
        let at: Date
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("POST", "/x") { _ in .text("ok") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func sent(
        _ body: RequestBody,
        _ headers: HTTPHeaders = [:]
    ) async throws
        -> RecordedRequest
    {
        let request = TextRequest(path: "x", method: .post, body: body, headers: headers)
        _ = try await endpoint.value(for: request)
        return try #require(server.requests.last)
    }

    /// Each kind of body says what it is, once.
    @Test(
        "is sent with its media type",
        arguments: [
            (RequestBody.string("xé"), "text/plain; charset=utf-8", "xé"),
            (.raw(Data("bytes".utf8)), "application/octet-stream", "bytes"),
            (.params(["b": 1, "a": "z"]), "application/json", #"{"a":"z","b":1}"#),
            (.params([:]), "application/json", "{}"),
            (
                .json(["a": [1, "z", nil], "b": ["x": 1.5]]), "application/json",
                #"{"a":[1,"z",null],"b":{"x":1.5}}"#
            ),
            (
                .encodable(Post(title: "t", at: Date(timeIntervalSince1970: 0))),
                "application/json",
                #"{"at":"1970-01-01T00:00:00Z","title":"t"}"#
            ),
            (
                .form([("b", "1 2"), ("a", "+&=é"), ("b", "")]),
                "application/x-www-form-urlencoded",
                "b=1+2&a=%2B%26%3D%C3%A9&b="
            ),
        ]
    )
    func kinds(body: RequestBody, contentType: String, text: String) async throws {
        let sent = try await sent(body)
        #expect(sent.headers(named: "Content-Type") == [contentType])
        #expect(String(decoding: sent.body, as: UTF8.self) == text)
        #expect(sent.headers(named: "Content-Length") == ["\(text.utf8.count)"])
    }

    /// A header has the last word on the media type, in any letter case.
    @Test(
        "takes its media type from a Content-Type field",
        arguments: ["Content-Type", "content-type"]
    )
    func headerWins(name: String) async throws {
        let headers: HTTPHeaders = [HTTPHeaderName(name): "text/csv"]
        for body in [RequestBody.string("a;b"), .raw(Data("a;b".utf8)), .params(["a": 1])] {
            let sent = try await sent(body, headers)
            #expect(sent.headers(named: "Content-Type") == ["text/csv"])
        }
    }

    /// The values that Swift users put in a dictionary, numbers exact.
    @Test("encodes exact numbers, dates, URLs, UUIDs, data and nil")
    func values() async throws {
        let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        let link = try #require(URL(string: "https://h/p?q=1"))
        let exact = try #require(Decimal(string: "0.1234567890123456789"))
        let parameters: [String: any Sendable] = [
            "at": Date(timeIntervalSince1970: 0), "big": Int64.max, "bytes": Data([1, 2]),
            "exact": exact, "flag": true, "id": id, "link": link,
            "list": [1, 2] as [Int], "nested": ["k": "v"] as [String: String],
            "none": nil as Int?, "some": 5 as Int?,
        ]
        let text = String(decoding: try await sent(.params(parameters)).body, as: UTF8.self)
        let members = [
            #""at":"1970-01-01T00:00:00Z""#, #""big":9223372036854775807"#, #""bytes":"AQI=""#,
            #""exact":0.1234567890123456789"#, #""flag":true"#,
            #""id":"6F9619FF-8B86-D011-B42D-00C04FC964FF""#, #""link":"https://h/p?q=1""#,
            #""list":[1,2]"#, #""nested":{"k":"v"}"#, #""none":null"#, #""some":5"#,
        ]
        #expect(text == "{\(members.joined(separator: ","))}")
    }

    /// What has no JSON form is an error of the call and nothing worse.
    @Test("fails with the key path of a value without a JSON form", arguments: CallStyle.allCases)
    func unencodable(style: CallStyle) async throws {
        let deep: [String: any Sendable] = ["tags": [1, Opaque()] as [any Sendable]]
        let cases: [([String: any Sendable], String)] = [
            (["user": deep], "user.tags[1]"), (["o": Opaque()], "o"), (["n": Double.nan], "n"),
        ]
        for (parameters, keyPath) in cases {
            let request = TextRequest(path: "x", method: .post, body: .params(parameters))
            let error = await style.outcome(of: request, on: endpoint).error
            #expect(error?.kind == .invalidRequest(.unencodableBody(keyPath)))
        }
        #expect(server.requests.isEmpty)
    }

    /// A body where HTTP has none is refused.
    @Test("is rejected on a GET before sending", arguments: [HTTPMethod.get, .head, .trace])
    func bodylessMethods(method: HTTPMethod) async throws {
        let request = TextRequest(path: "x", method: method, body: .string("x"))
        for style in CallStyle.allCases {
            let error = await style.outcome(of: request, on: endpoint).error
            guard case .invalidRequest(.invalidMethod) = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(server.requests.isEmpty)
    }
}
