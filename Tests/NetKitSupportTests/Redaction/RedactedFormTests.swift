import Testing

@testable import NetKitSupport

@Suite("Form redaction")
struct RedactedFormTests {
    @Test(
        "takes a name and an equals sign for the beginning of a form",
        arguments: [
            ("a=1", true), ("a1_-.~%+*[]$=", true), ("A=", true), ("9=", true), ("=1", false),
            ("a", false), ("", false), ("a b=1", false),
            ("a:b=1", false), ("a&b=1", false), ("é=1", false), ("a/b=1", false), ("a;=1", false),
        ]
    )
    func beginnings(text: String, isForm: Bool) {
        #expect(RedactedForm.isForm(Array(text.utf8)[...]) == isForm)
    }
}
