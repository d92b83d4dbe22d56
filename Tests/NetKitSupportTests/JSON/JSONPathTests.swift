import Testing

@testable import NetKitSupport

@Suite("JSON paths")
struct JSONPathTests {
    @Test(
        "prints as a coding path",
        arguments: [
            ("", ""), ("/", ""), ("a", "a"), ("a/b", "a.b"), ("/a/0/b/", "a[0].b"),
            ("0/1", "[0][1]"),
            ("a.b/c", "a.b.c"), ("~01/a~1b", "~1.a/b"), ("-1", "-1"),
        ]
    )
    func description(text: String, shown: String) {
        #expect(JSONPath(text).description == shown)
    }

    @Test("accepts dots when there is no slash")
    func dots() {
        #expect(JSONPath(dotted: "a.0.b") == JSONPath("a/0/b"))
        #expect(JSONPath(dotted: "a.b/c") == JSONPath("a.b/c"))
        #expect(JSONPath(dotted: "").steps.isEmpty)
        #expect(JSONPath("a.b").steps.count == 1)
    }

    @Test("doesn't overflow on indices beyond Int")
    func hugeIndex() {
        #expect(JSONPath("99999999999999999999").steps.first?.index == nil)
    }
}
