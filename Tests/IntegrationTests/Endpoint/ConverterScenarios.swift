import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Converted response", .timeLimit(.minutes(15)))
struct ConverterScenarios {
    private struct Refusal: Error {}

    private struct Exact: Decodable, Hashable, Sendable {
        let big: Int64
        let price: Decimal
        let flag: Bool
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let body = #"""
            {"data":{"items":[{"id":1},{"id":2}],"count":2,"none":null,"inner":{"id":"x"},
            "exact":{"big":9223372036854775807,"price":0.1234567890123456789,"flag":true}}}
            """#
        server.route(nil, "/x") { _ in .json(text: body) }
    }

    private func outcome<Value: Decodable & Sendable>(
        _: Value.Type,
        at path: String,
        _ style: CallStyle = .async
    ) async -> Outcome<DefaultRequest<Value, ServerMessage>> {
        let request = DefaultRequest<Value, ServerMessage>(
            path: "x",
            responseConverter: KeyPathResponseConverter(path: path)
        )
        return await style.outcome(of: request, on: endpoint)
    }

    /// A node of the document is the response.
    @Test("decodes a node of the document", arguments: CallStyle.allCases)
    func node(style: CallStyle) async throws {
        let items = try await outcome([Item].self, at: "data/items", style).get()
        #expect(items == [Item(id: 1), Item(id: 2)])
        #expect(try await outcome(Item.self, at: "data/items/1", style).get() == Item(id: 2))
        #expect(try await outcome(Int.self, at: "data/count", style).get() == 2)
        #expect(try await outcome(Int?.self, at: "data/none", style).get() == nil)
    }

    /// Numbers are the same behind a key path.
    @Test("keeps numbers exact")
    func exactNumbers() async throws {
        let exact = try await outcome(Exact.self, at: "data/exact").get()
        let price = try #require(Decimal(string: "0.1234567890123456789"))
        #expect(exact == Exact(big: .max, price: price, flag: true))
    }

    /// Where there is no such node, the error says which.
    @Test(
        "fails with the path of a missing node",
        arguments: ["data/missing", "data/items/5", "data/count/x", "nowhere/at/all"],
        CallStyle.allCases
    )
    func missing(path: String, style: CallStyle) async throws {
        let error = try #require(await outcome([Item].self, at: path, style).error)
        #expect(error.kind == .decoding(200))
        let failure = try #require(error.underlying as? ConversionFailure)
        guard case .missingNode(let keyPath, _, _) = failure.reason else {
            Issue.record("\(failure)")
            return
        }
        let last = try #require(path.split(separator: "/").last)
        #expect(keyPath.contains(last))
        #expect(error.response?.body.isEmpty == false)
    }

    /// A node of another type names the way to it from the root.
    @Test("fails with the full path of a mismatched node")
    func mismatch() async throws {
        let error = try #require(await outcome(Item.self, at: "data/inner").error)
        #expect(error.kind == .decoding(200))
        let failure = try #require(error.underlying as? DecodingFailure)
        for part in ["data", "inner", "id"] { #expect(failure.path.contains(part)) }
        #expect(failure.type == "Item")
        #expect(await outcome(Int.self, at: "data/none").error?.kind == .decoding(200))
    }

    /// Any change of the JSON, by a closure.
    @Test("applies a closure's conversion", arguments: CallStyle.allCases)
    func closure(style: CallStyle) async throws {
        server.route(nil, "/wrapped") { _ in .json(text: #"[{"key":"id","value":9}]"#) }
        let converter = ClosureResponseConverter { json in
            guard let entries = json as? [[String: Any]] else { throw Refusal() }
            var object: [String: Any] = [:]
            for entry in entries {
                if let key = entry["key"] as? String { object[key] = entry["value"] }
            }
            return object
        }
        let request = ItemRequest(path: "wrapped", responseConverter: converter)
        #expect(try await style.outcome(of: request, on: endpoint).get() == Item(id: 9))
    }

    /// What a converter throws is found beside the response.
    @Test("fails with the converter's error and the response", arguments: [200, 400])
    func throwing(status: Int) async throws {
        server.route(nil, "/refused") { _ in .json(text: "{}", status: status) }
        let converter = ClosureResponseConverter { _ in throw Refusal() }
        let request = ItemRequest(
            path: "refused",
            responseConverter: converter,
            errorConverter: converter
        )
        for style in CallStyle.allCases {
            let error = try #require(await style.outcome(of: request, on: endpoint).error)
            #expect(
                error.kind == (status == 200 ? .decoding(200) : .undecodableServerError(400))
            )
            #expect(error.underlying is Refusal)
            #expect(error.response?.body == Data("{}".utf8))
        }
    }

    /// Errors have a converter of their own.
    @Test("uses the error converter for a failure status")
    func errorConverter() async throws {
        server.route(nil, "/error") { _ in
            .json(text: #"{"errors":[{"message":"nope"}]}"#, status: 422)
        }
        let request = DefaultRequest<Item, APIError>(
            path: "error",
            responseConverter: ClosureResponseConverter { _ in throw Refusal() },
            errorConverter: KeyPathResponseConverter(path: "errors/0")
        )
        for style in CallStyle.allCases {
            let error = await style.outcome(of: request, on: endpoint).error
            #expect(error?.kind == .server(422))
            #expect(error?.serverError == APIError(message: "nope"))
        }
    }
}
