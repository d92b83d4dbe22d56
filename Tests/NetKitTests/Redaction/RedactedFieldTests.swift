import Foundation
import Testing

@testable import NetKit

@Suite("Header field redaction")
struct RedactedFieldTests {
    @Test(
        "redacts the secrets of a value by the field's name and the value's kind",
        arguments: [
            ("Authorization", "Bearer X", "‹redacted›"), ("X-Mine", "X", "‹redacted›"),
            ("Accept", "a/b", "a/b"),
            // A URL as a whole, even relative.
            ("Location", "https://u:X@h/a?token=X&b=1#X", "https://h/a?token=redacted&b=1"),
            ("Content-Location", "/a?sig=X", "/a?sig=redacted"), ("Referer", "a#token=X", "a"),
            ("X-Callback", "https://u:X@h/a?b=1", "https://h/a?b=1"),
            ("X-Note", "at /a?code=X b", "at /a?code=redacted b"),
            // Links keep all but the secrets of their URLs.
            (
                "Link", #"</a?token=X&p=2>; rel=next, <https://u:X@h/b>; rel="last""#,
                #"</a?token=redacted&p=2>; rel=next, <https://h/b>; rel="last""#
            ),
            ("Link", "</a>; rel=next", "</a>; rel=next"),
            ("Link", "</a?token=X", "</a?token=redacted"),
            ("Link", "<>, <?sig=X>", "<>, <?sig=redacted>"), ("Link", "none", "none"),
            ("Link", "", ""),
        ]
    )
    func values(name: String, value: String, shown: String) {
        let redactor = Redactor(Redaction(headers: ["X-Mine"]))
        #expect(redactor.header(value, of: HTTPHeaderName(name)) == shown)
    }
}
