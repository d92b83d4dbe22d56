import Foundation
import Testing

@testable import NetKit

@Suite("DefaultRequest")
struct DefaultRequestTests {
    private struct Item: Decodable, Sendable {}

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
}
