import Foundation
import Testing

@testable import NetKit

@Suite("Empty bodies")
struct EmptyBodyTests {
    private struct Envelope: Decodable { let nothing: Empty, list: [Empty] }

    @Test("decodes to empty values of the types that have one")
    func known() throws {
        let response = try HTTPResponse.sample("")
        #expect(try response.decoded(to: Data.self) == Data())
        #expect(try response.decoded(to: String.self) == "")
        #expect(try response.decoded(to: Int?.self) == nil)
        #expect(try response.decoded(to: Empty.self) == Empty())
        #expect(EmptyBody.value(as: Data.self) == Data())
        #expect(EmptyBody.value(as: String.self) == "")
        #expect(EmptyBody.value(as: [Int]?.self) == .some(nil))
        #expect(EmptyBody.value(as: Empty.self) == Empty())
    }

    @Test("fails for every other type")
    func others() throws {
        #expect(EmptyBody.value(as: Int.self) == nil)
        #expect(EmptyBody.value(as: [Int].self) == nil)
        let response = try HTTPResponse.sample("")
        let failure = #expect(throws: DecodingFailure.self) { try response.decoded(to: [Int].self) }
        #expect(
            failure?.description
                == "the body is empty; it can't be decoded as Array<Int> (decoding Array<Int>)"
        )
    }

    @Test("lets an empty value stand for anything inside JSON")
    func nested() throws {
        let body = #"{"nothing":{"a":[1]},"list":[1,"x",null,{}]}"#
        #expect(try HTTPResponse.sample(body).decoded(to: Envelope.self).list.count == 4)
    }
}
