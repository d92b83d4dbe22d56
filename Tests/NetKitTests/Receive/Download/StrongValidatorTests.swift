import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Strong validator")
struct StrongValidatorTests {
    private static let earlier = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    private static let cases: [(HTTPHeaders, String?)] = [
        (["ETag": "\"a\"", "Last-Modified": "\(earlier)", "Date": "\(later)"], "\"a\""),
        (["Last-Modified": "\(earlier)", "Date": "\(later)"], earlier),
        (["Last-Modified": "\(later)", "Date": "\(later)"], nil),
        (["Last-Modified": "\(earlier)"], nil),
        (["ETag": "W/\"a\"", "Last-Modified": "\(earlier)", "Date": "\(later)"], nil),
        (["ETag": "a"], nil),
        ([:], nil),
    ]

    @Test(
        "is a strong entity tag, or without a tag a date older than the response",
        arguments: cases
    )
    func validator(headers: HTTPHeaders, expected: String?) {
        let head = ResponseHead(status: .ok, headers: headers)
        #expect(StrongValidator(of: head)?.rawValue == expected)
    }

    @Test("conflicts with another version's validator, not with a missing one")
    func contradiction() {
        let tag = StrongValidator(rawValue: "\"a\"")
        let date = StrongValidator(rawValue: Self.earlier)
        func head(_ headers: HTTPHeaders) -> ResponseHead {
            ResponseHead(status: 206, headers: headers)
        }
        #expect(!tag.contradicts(head([:])))
        #expect(!tag.contradicts(head(["ETag": "\"a\""])))
        #expect(tag.contradicts(head(["ETag": "\"b\""])))
        #expect(tag.contradicts(head(["ETag": "W/\"a\""])))
        #expect(!date.contradicts(head([:])))
        #expect(!date.contradicts(head(["ETag": "\"b\""])))
        #expect(!tag.contradicts(head(["Last-Modified": "\(Self.later)"])))
        #expect(!date.contradicts(head(["Last-Modified": "\(Self.earlier)"])))
        #expect(date.contradicts(head(["Last-Modified": "\(Self.later)"])))
    }
}
