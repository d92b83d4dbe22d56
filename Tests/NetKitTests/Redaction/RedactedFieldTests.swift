import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

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
            ("X-Callback", "https://h/", "‹redacted›"), ("X-Custom", "X", "‹redacted›"),
            ("X-Shown", "at /a?code=X b", "‹redacted›"), ("X-Shown", "b", "b"),
            ("Origin", "https://u:X@h", "https://h"), ("ETag", "\"a:b\"", "\"a:b\""),
            ("User-Agent", "a/1 (token=X)", "‹redacted›"), ("User-Agent", "a/1", "a/1"),
            ("Vary", "Authorization, Cookie", "Authorization, Cookie"),
            // Parameters are looked at one by one.
            ("Content-Type", "a/b; boundary=c; d", "a/b; boundary=c; d"),
            ("Content-Type", "a/b; token=X", "‹redacted›"),
            (
                "Content-Disposition", "form-data; name=\"password\"; filename=\"f\"",
                "form-data; name=\"password\"; filename=\"f\""
            ),
            ("Content-Disposition", "form-data; filename=\"token=X\"", "‹redacted›"),
            // Links keep all but the secrets of their URLs.
            (
                "Link", #"</a?token=X&p=2>; rel=next, <https://u:X@h/b>; rel="last""#,
                #"</a?token=redacted&p=2>; rel=next, <https://h/b>; rel="last""#
            ),
            ("Link", "</a#X>; rel=next", "</a>; rel=next"),
            ("Link", "</a?token=X", "</a?token=redacted"),
            ("Link", "<>, <?sig=X>", "<>, <?sig=redacted>"), ("Link", "none", "none"),
            ("Link", "", ""), ("Link", "</a>; title=\"token=X\"", "‹redacted›"),
            ("Link", "token=X, </a>", "‹redacted›"),
        ]
    )
    func values(name: String, value: String, shown: String) {
        let redactor = Redactor(Redaction(headers: ["X-Mine"], shownHeaders: ["X-Shown"]).rules)
        #expect(redactor.header(value, of: FoldedName(name)) == shown)
    }
}
