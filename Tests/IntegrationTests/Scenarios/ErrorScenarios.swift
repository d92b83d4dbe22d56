import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Unsuccessful response", .timeLimit(.minutes(15)))
struct ErrorScenarios {
    /// A server error that reads what it likes, here two words of plain text.
    private struct PlainError: ServerError {
        let message: String
        static func decode(from response: HTTPResponse, using decoder: JSONDecoder) throws -> Self {
            let words = String(decoding: response.body, as: UTF8.self).split(separator: " ")
            guard words.count == 2 else { throw CocoaError(.coderInvalidValue) }
            return PlainError(message: "\(words[1]) \(words[0])")
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// The typed error comes with all the evidence, the same through both faces.
    @Test("carries the server's error, status, header and body", arguments: CallStyle.allCases)
    func evidence(style: CallStyle) async throws {
        let body = #"{"message":"nope"}"#
        server.route(nil, "/x") { _ in .json(text: body, status: 404).header("X-Trace", "t1") }
        let request = DefaultRequest<Item, APIError>(path: "x")
        let error = try #require(await style.outcome(of: request, on: endpoint).error)
        #expect(error.kind == .server(404))
        #expect(error.serverError == APIError(message: "nope"))
        #expect(error.message == "nope")
        #expect(error.statusCode == 404)
        let response = try #require(error.response)
        #expect(response.status == 404)
        #expect(response.headers["X-Trace"] == "t1")
        #expect(response.body == Data(body.utf8))
    }

    /// An error body of another form leaves the status and the bytes.
    @Test(
        "keeps the status and body when the error doesn't decode",
        arguments: [
            ("nope", "text/plain"), (#"["nope"]"#, "application/json"), ("", "application/json"),
            ("<html><body>nope</body></html>", "text/html"), (#"{"code":1}"#, "application/json"),
            (#"{"message":"#, "application/json"),
        ],
        CallStyle.allCases
    )
    func otherBodies(body: (text: String, type: String), style: CallStyle) async throws {
        server.route(nil, "/x") { _ in
            .data(Data(body.text.utf8), contentType: body.type, status: 404)
        }
        let request = DefaultRequest<Item, APIError>(path: "x")
        let error = try #require(await style.outcome(of: request, on: endpoint).error)
        #expect(error.kind == .undecodableServerError(404))
        #expect(error.response?.body == Data(body.text.utf8))
        #expect(error.serverError == nil)
        #expect(error.message.contains("404"))
    }

    /// Text errors and optional ones.
    @Test("decodes to text or to an optional error")
    func textErrors() async throws {
        server.route(nil, "/text") { _ in .text("nope", status: 409) }
        server.route(nil, "/none") { _ in .status(409) }
        let style = CallStyle.async
        let text = DefaultRequest<Item, String>(path: "text")
        #expect(await style.outcome(of: text, on: endpoint).error?.serverError == "nope")
        let optional = DefaultRequest<Item, String?>(path: "text")
        #expect(await style.outcome(of: optional, on: endpoint).error?.serverError == "nope")
        let none = DefaultRequest<Item, APIError?>(path: "none")
        let error = await style.outcome(of: none, on: endpoint).error
        #expect(error?.kind == .server(409))
        #expect(error?.serverError == .some(nil))
    }

    /// A message is found wherever servers put one.
    @Test(
        "finds a message wherever servers put one",
        arguments: [
            (#"{"msg":"nope"}"#, "nope"), (#"{"message":"nope"}"#, "nope"),
            (#"{"error":"nope"}"#, "nope"), (#"{"err":"nope"}"#, "nope"),
            (#"{"error":{"message":"nope","code":1}}"#, "nope"),
            (#"{"title":"t","detail":"nope"}"#, "nope"), (#"{"title":"nope"}"#, "nope"),
            (#"{"err":"4","error":"3","message":"2","msg":"1"}"#, "1"),
            (#"["nope","never"]"#, "nope, never"), ("nope", "nope"), (#""nope""#, "nope"),
        ],
        CallStyle.allCases
    )
    func messages(body: (text: String, message: String), style: CallStyle) async throws {
        server.route(nil, "/x") { _ in .data(Data(body.text.utf8), contentType: "a/b", status: 400)
        }
        let error = await style.outcome(of: ItemRequest(path: "x"), on: endpoint).error
        #expect(error?.kind == .server(400))
        #expect(error?.message == body.message)
    }

    /// A server error of one's own sees any body, and may refuse it.
    @Test("decodes to a custom error type, whatever the body")
    func ownErrorType() async throws {
        server.route(nil, "/two") { _ in .text("here nobody", status: 403) }
        server.route(nil, "/three") { _ in .text("one two three", status: 403) }
        let two = DefaultRequest<Item, PlainError>(path: "two")
        let error = await CallStyle.async.outcome(of: two, on: endpoint).error
        #expect(error?.serverError?.message == "nobody here")
        let three = DefaultRequest<Item, PlainError>(path: "three")
        let refused = await CallStyle.async.outcome(of: three, on: endpoint).error
        #expect(refused?.kind == .undecodableServerError(403))
        #expect(refused?.underlying is CocoaError)
    }

    /// 2xx alone is success, and any number is kept.
    @Test("has any status outside 2xx, and keeps its number", arguments: CallStyle.allCases)
    func statuses(style: CallStyle) async throws {
        for status in [200, 201, 202, 206, 226, 299] {
            server.route(nil, "/\(status)") { _ in .text("ok", status: status) }
            let outcome = await style.outcome(of: TextRequest(path: "\(status)"), on: endpoint)
            #expect(outcome.value == "ok", "\(status)")
        }
        for status in [300, 304, 305, 400, 404, 418, 425, 451, 500, 599] {
            server.route(nil, "/\(status)") { _ in .status(status) }
            let error = await style.outcome(of: TextRequest(path: "\(status)"), on: endpoint).error
            #expect(error?.kind == .server(status))
            #expect(error?.response?.status == HTTPStatus(rawValue: status))
        }
    }

    /// Success has its number too.
    @Test("reports the status of a success as well")
    func successStatus() async throws {
        server.route(nil, "/x") { _ in .text("made", status: 201) }
        let response = try await endpoint.response(for: TextRequest(path: "x"))
        #expect(response.http.status == 201)
        #expect(response.http.status.isSuccessful)
        #expect(response.value == "made")
    }

    /// Nothing secret is in what an error prints of itself.
    @Test("prints no token, query value or body")
    func description() async throws {
        server.route(nil, "/x") { _ in
            .json(text: #"{"message":"body-secret"}"#, status: 403).header("Set-Cookie", "c=cookie")
        }
        endpoint.headers.authToken = .bearer("token-secret")
        let request = DefaultRequest<Item, APIError>(
            path: "x",
            queryParams: [("q", "query-secret")]
        )
        let error = try #require(await CallStyle.async.outcome(of: request, on: endpoint).error)
        for text in ["\(error)", String(reflecting: error), String(describing: error.response)] {
            for secret in ["token-secret", "query-secret", "body-secret", "c=cookie"] {
                #expect(!text.contains(secret))
            }
            #expect(text.contains("403"))
        }
    }
}
