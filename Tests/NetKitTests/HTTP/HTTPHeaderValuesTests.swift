import Testing

@testable import NetKit

@Suite("Header values")
struct HTTPHeaderValuesTests {
    @Test(
        "are a length of digits alone",
        arguments: [("12", 12), ("-1", nil), ("x", nil), ("0", 0), ("+5", nil)]
    )
    func length(text: String, length: Int64?) {
        #expect(HTTPHeaders([.contentLength: text]).contentLength == length)
    }
}
