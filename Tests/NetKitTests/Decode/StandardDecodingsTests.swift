import Foundation
import Testing

@testable import NetKit

@Suite("Standard decodings")
struct StandardDecodingsTests {
    /// Goes through code that knows nothing but `Decodable`.
    private func accept<Value: Decodable & Sendable>(of type: Value.Type) -> String {
        ResponseDecoding<Value>.automatic.accept
    }

    @Test("is chosen by type even in generic code, with the matching Accept field")
    func automatic() throws {
        #expect(accept(of: SampleUser.self) == "application/json")
        #expect(accept(of: [String].self) == "application/json")
        #expect(accept(of: SampleUser?.self) == "application/json")
        #expect(accept(of: JSONValue.self) == "application/json")
        #expect(accept(of: Data.self) == "*/*")
        #expect(accept(of: String.self) == "*/*")
        #expect(accept(of: String?.self) == "*/*")
        #expect(accept(of: Data?.self) == "*/*")
        #expect(accept(of: Empty.self) == "*/*")
        #expect(ResponseDecoding<Void>.empty.accept == "*/*")
        #expect(ResponseDecoding<Int> { _, _ in 1 }.accept == "*/*")
        #expect(
            ResponseDecoding<Int>(accept: "application/xml") { _, _ in 1 }.accept
                == "application/xml"
        )
    }

    @Test("decodes one node of a document", arguments: ["data/list/1", "data.list.1"])
    func node(keyPath: String) throws {
        let decoding = ResponseDecoding<SampleUser>.json(at: keyPath)
        let response = try HTTPResponse.sample(#"{"data":{"list":[0,{"id":5}]}}"#)
        #expect(try decoding.decode(response, JSONDecoder()) == SampleUser(id: 5))
        #expect(throws: ConversionFailure.self) {
            try decoding.decode(.sample("{}"), JSONDecoder())
        }
    }

    @Test("decodes a String or Data from JSON on request")
    func explicitJSON() throws {
        let response = try HTTPResponse.sample("\"aGk=\"", type: "text/plain")
        #expect(try ResponseDecoding<String>.json.decode(response, JSONDecoder()) == "aGk=")
        #expect(try ResponseDecoding<Data>.json.decode(response, JSONDecoder()) == Data("hi".utf8))
        #expect(try ResponseDecoding<String>.text.decode(response, JSONDecoder()) == "\"aGk=\"")
    }
}
