import Foundation
import Testing

@testable import NetKit

@Suite("Response transformers")
struct ResponseTransformersTests {
    private struct Item: Decodable, Equatable, Sendable { let itemName: String }

    @Test("decodes a node by key path, with dots or slashes")
    func keyPaths() throws {
        let response = try HTTPResponse.sample(
            #"{"item":{"inner":{"itemName":"x"}},"a.b":1}"#,
            status: 500
        )
        #expect(try response.decoded(to: Item.self, keyPath: "item.inner") == Item(itemName: "x"))
        let event = ServerSentEvent(data: #"{"id":1}"#)
        #expect(try event.decoded(to: JSONValue.self) == ["id": 1])
        #expect(throws: DecodingFailure.self) { try event.decoded(to: Int.self) }
        #expect(try response.decoded(to: Item.self, keyPath: "item/inner").itemName == "x")
        #expect(try response.decoded(keyPath: "/a.b") == 1)
        let name: String = try response.decoded(keyPath: "item.inner.itemName")
        #expect(name == "x")
        #expect(try response.json()["a.b"] == 1)
        #expect(response.text.hasPrefix("{\"item\""))
    }

    @Test("decodes an Optional to nil for null and an empty body")
    func optionals() throws {
        let response = try HTTPResponse.sample(#"{"a":{"id":1},"n":null,"l":[]}"#)
        #expect(try response.decoded(to: SampleUser?.self, keyPath: "a")?.id == 1)
        #expect(try response.decoded(to: SampleUser?.self, keyPath: "n") == nil)
        #expect(try HTTPResponse.sample().decoded(to: SampleUser?.self) == nil)
        #expect(throws: ConversionFailure.self) {
            try response.decoded(to: SampleUser?.self, keyPath: "x.y")
        }
        #expect(throws: DecodingFailure.self) {
            try response.decoded(to: SampleUser?.self, keyPath: "l")
        }
    }

    @Test("shares one decoder between threads without mixing key paths")
    func concurrency() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let members = (0..<100).map { "\"k\($0)\":{\"v\":{\"item_name\":\"n\($0)\"}}" }
        let response = try HTTPResponse.sample("{\(members.joined(separator: ","))}")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let item = try response.decoded(
                        to: Item.self,
                        using: decoder,
                        keyPath: "k\(index).v"
                    )
                    return item.itemName == "n\(index)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
