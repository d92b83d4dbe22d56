import Testing

@testable import NetKit

@Suite("Header field values")
struct HTTPHeaderValuesTests {
    @Test(
        "parses a Content-Length of digits only",
        arguments: [("12", 12), ("-1", nil), ("x", nil), ("0", 0), ("+5", nil)]
    )
    func length(text: String, length: Int64?) {
        #expect(HTTPHeaders([.contentLength: text]).contentLength == length)
    }
}
