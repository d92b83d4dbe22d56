import Foundation
import NetKitSupport
import Testing

@Suite("Words for errors")
struct ErrorNameTests {
    private struct Order: Decodable {
        let items: [[String: Int]]
        let total: Double
    }

    @Test(
        "have the place of a value that can't be decoded, and never the value",
        arguments: [
            (#"{"items":[{"a":1},{"a":"secret"}],"total":1}"#, "typeMismatch at items[1].a"),
            (#"{"items":[]}"#, "keyNotFound at total"), ("[]", "typeMismatch"),
        ]
    )
    func decoding(text: String, words: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        }
        #expect(error.map { ErrorName.words(of: $0) } == "DecodingError.\(words)")
    }
}
