import Testing

@testable import NetKitBench

@Suite("Number list")
struct NumberListTests {
    @Test(
        "parses numbers separated by commas, and nothing else",
        arguments: [("1", [1]), ("1,16", [1, 16]), ("1,", nil), ("", nil), ("1;2", nil)]
    )
    func parses(text: String, values: [Int]?) {
        #expect(NumberList(argument: text)?.values == values)
    }
}
