import Foundation
import Testing

@testable import NetKitSupport

@Suite("Redacted URLs")
struct RedactedURLTests {
    @Test(
        "has no user, no query values and no fragment",
        arguments: [
            ("https://h/p", "https://h/p"), ("https://h:8080/p?a=1&b=2", "https://h:8080/p?a&b"),
            ("https://u:p@h/p@q", "https://h/p@q"), ("https://u@v@h?x=@", "https://h?x"),
            ("https://h/p#token=1", "https://h/p"), ("https://h/p?a=1#b?c=d", "https://h/p?a"),
            ("/p?next=http://x:SECRET@y/", "/p?next"), ("h/p?a=b", "h/p?a"),
            // No host, another scheme, none, and one slash or none.
            ("https:///u:p@h", "https:///h"),
            ("ftp://u:p@h/p", "ftp://h/p"), ("//u:p@h/p?a=b", "//h/p?a"),
            ("https:/u:p@h", "https:/h"),
            ("https:u:p@h", "https:h"), ("https://h/u:p@x/q", "https://h/redacted@x/q"),
            ("http://h:4873/@scope/p", "http://h:4873/@scope/p"), ("mailto:a@b", "mailto:a@b"),
            ("me:s3cret@h/p", "h/p"), ("h:80/p@q", "h:80/p@q"),
            ("https://h/p;jsessionid=1;a=2/q", "https://h/p;jsessionid=redacted;a=2/q"),
        ]
    )
    func showing(text: String, shown: String) throws {
        let url = try #require(URL(string: text))
        #expect(RedactedURL(url).description == shown)
    }

    @Test(
        "hides the whole value of a parameter of the path by its name, which ends at the first sign",
        arguments: ["1", "", "=", "1=2", "a=token=1", "a=1="]
    )
    func parameters(value: String) {
        func shown(_ path: String) -> String {
            let bytes = RedactedURL.bytes(
                Array("/p;\(path);b=3/q".utf8)[...],
                by: Redactor(.secrets)
            )
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(shown("jsessionid=\(value)") == "/p;jsessionid=redacted;b=3/q")
        #expect(shown("a=\(value)") == "/p;a=\(value);b=3/q")
    }

    @Test(
        "has no user, even when Foundation can't parse it",
        arguments: [
            ("https://u:p/q@h/p?a=1", "https://h/p?a=1"), ("https:\\\\u:p@h", "https:\\\\h"),
            ("//u:p@h", "//h"), ("/u:p@h/q", "/redacted@h/q"),
            ("http://[::1]:80/@a", "http://[::1]:80/@a"),
            ("/a#/b?token=x", "/a#/b?token=redacted"), ("/a#token=x", "/a#token=redacted"),
        ]
    )
    func text(text: String, shown: String) {
        let bytes = RedactedURL.bytes(Array(text.utf8)[...], by: Redactor(.secrets))
        #expect(String(decoding: bytes, as: UTF8.self) == shown)
    }
}
