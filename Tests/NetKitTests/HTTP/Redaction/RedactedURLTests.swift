import Foundation
import Testing

@testable import NetKit

@Suite("URLs as they may be shown")
struct RedactedURLTests {
    @Test(
        "have no user, no query values and no fragment",
        arguments: [
            ("https://h/p", "https://h/p"), ("https://h:8080/p?a=1&b=2", "https://h:8080/p?a&b"),
            ("https://u:p@h/p@q", "https://h/p@q"), ("https://u@v@h?x=@", "https://h?x"),
            ("https://h/p#token=1", "https://h/p"), ("https://h/p?a=1#b?c=d", "https://h/p?a"),
            ("/p?next=http://x:SECRET@y/", "/p?next"), ("h/p?a=b", "h/p?a"),
        ]
    )
    func showing(text: String, shown: String) throws {
        let url = try #require(URL(string: text))
        #expect(RedactedURL(url).description == shown)
    }
}
