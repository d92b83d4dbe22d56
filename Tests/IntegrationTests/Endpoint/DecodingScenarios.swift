import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Decoded response", .timeLimit(.minutes(15)))
struct DecodingScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// Asks in generic code, where a type's decoding has to be found by what the type is.
    private func outcome<Value: Decodable & Sendable>(
        _: Value.Type,
        _ style: CallStyle = .async
    ) async -> Outcome<DefaultRequest<Value, ServerMessage>> {
        await style.outcome(of: DefaultRequest<Value, ServerMessage>(path: "x"), on: endpoint)
    }

    /// No content is a value where it can be one.
    @Test("decodes an empty body to types that can be empty", arguments: [200, 204, 205])
    func noContent(status: Int) async throws {
        server.route(nil, "/x") { _ in .status(status) }
        for style in CallStyle.allCases {
            try await style.outcome(of: VoidRequest(path: "x"), on: endpoint).get()
            #expect(try await outcome(Empty.self, style).get() == Empty())
            #expect(try await outcome(Item?.self, style).get() == nil)
            #expect(try await outcome(Data.self, style).get().isEmpty)
            #expect(try await outcome(String.self, style).get().isEmpty)
        }
    }

    /// Where nothing is no value, that is what the error says.
    @Test("fails with a typed error for any other type", arguments: CallStyle.allCases)
    func noValue(style: CallStyle) async throws {
        server.route(nil, "/x") { _ in .status(204) }
        let error = try #require(await outcome(User.self, style).error)
        #expect(error.kind == .decoding(204))
        #expect("\(error)".contains("empty"))
        #expect(await outcome([User].self, style).error?.kind == .decoding(204))
    }

    /// The answer to HEAD has no content whatever its length says.
    @Test("decodes a HEAD response to header fields without a value")
    func head() async throws {
        server.route("HEAD", "/x") { _ in .text("12345") }
        let request = DefaultRequest<Item?, ServerMessage>(path: "x", method: .head)
        let response = try await endpoint.response(for: request)
        #expect(response.value == nil)
        #expect(response.http.body.isEmpty)
        #expect(response.http.headers.contentType?.type == "text")
    }

    /// A word of text is text, and is nothing where nothing is asked for.
    @Test("decodes text to a String, and an empty body to nil", arguments: CallStyle.allCases)
    func text(style: CallStyle) async throws {
        server.route(nil, "/x") { _ in .text("OK") }
        try await style.outcome(of: VoidRequest(path: "x"), on: endpoint).get()
        #expect(try await outcome(Empty.self, style).get() == Empty())
        #expect(try await outcome(String.self, style).get() == "OK")
        #expect(await outcome(Item.self, style).error?.kind == .decoding(200))
    }

    /// Types are as strict as `JSONDecoder`.
    @Test("doesn't decode a number as a Bool", arguments: CallStyle.allCases)
    func strictTypes(style: CallStyle) async throws {
        server.route(nil, "/x") { _ in .json(text: "1") }
        #expect(await outcome(Bool.self, style).error?.kind == .decoding(200))
        #expect(try await outcome(Int.self, style).get() == 1)
    }

    /// Bytes are the bytes that were sent.
    @Test("returns the body as data, byte for byte", arguments: CallStyle.allCases)
    func data(style: CallStyle) async throws {
        let image = Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF, 0x0D, 0x0A]) + Data(0...255)
        server.route(nil, "/x") { _ in .data(image, contentType: "image/png") }
        #expect(try await outcome(Data.self, style).get() == image)
        let request = DefaultRequest<Data, ServerMessage>(path: "x")
        #expect(try await style.outcome(of: request, on: endpoint).get() == image)
        #expect(server.requests.first?.header("Accept") == "*/*")
    }

    /// Lists, and text in its own charset.
    @Test("decodes an array, and text in its declared charset")
    func otherKinds() async throws {
        server.route(nil, "/x") { _ in .json(text: #"[{"id":1},{"id":2}]"#) }
        #expect(try await outcome([Item].self).get() == [Item(id: 1), Item(id: 2)])
        server.route(nil, "/x") { _ in
            .data(Data([0x4D, 0xFC]), contentType: "text/plain; charset=iso-8859-1")
        }
        #expect(try await outcome(String.self).get() == "Mü")
    }

    /// Bytes that are no text are a typed error and no guess.
    @Test(
        "fails with a typed error for a String that isn't text",
        arguments: [
            ([0x89, 0x50, 0xFF], "image/png"), ([0x61, 0xC3], "text/plain"),
            // Half a character behind the byte order mark of UTF-16.
            ([0xFF, 0xFE, 0xC0], "text/plain"),
        ]
    )
    func noText(bytes: [UInt8], contentType: String) async throws {
        server.route(nil, "/x") { _ in .data(Data(bytes), contentType: contentType) }
        for style in CallStyle.allCases {
            let outcome = await outcome(String.self, style)
            #expect(outcome.error?.kind == .decoding(200))
            #expect(outcome.error?.response?.body == Data(bytes))
        }
    }

    /// An error while decoding says where and what, and keeps the bytes.
    @Test("reports the location and the expected type of a mismatch", arguments: CallStyle.allCases)
    func mismatch(style: CallStyle) async throws {
        let body = #"[{"id":1},{"id":"two"}]"#
        server.route(nil, "/x") { _ in .json(text: body) }
        let error = try #require(await outcome([Item].self, style).error)
        #expect(error.kind == .decoding(200))
        #expect(error.response?.body == Data(body.utf8))
        let failure = try #require(error.underlying as? DecodingFailure)
        #expect(failure.path == "[1].id")
        #expect(failure.expected == "Int")
        #expect(!"\(error)".contains("two"))
    }
}
