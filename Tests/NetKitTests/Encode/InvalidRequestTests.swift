import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Invalid request")
struct InvalidRequestTests {
    @Test("names the type without a JSON form")
    func types() {
        let invalid = InvalidRequest(
            Unencodable(1.5, at: []).inside(key: "b").inside(index: 2),
            below: "a"
        )
        #expect(invalid.reason == .unencodableBody("a[2].b"))
        #expect(invalid.bodyProblem == .noJSONForm(type: "Double", keyPath: "a[2].b"))
        #expect(
            invalid.message
                == #"body: value at "a[2].b" (Double) has no JSON form"#
        )
    }
}
