import Testing

@testable import NetKitSupport

@Suite("Joined Set-Cookie fields")
struct SetCookieFieldsTests {
    @Test(
        "are split before each name and equals sign, and not within dates or values",
        arguments: [
            ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1,\tb=2", ["a=1", "b=2"]),
            ("a=1,b=2", ["a=1,b=2"]),
            (
                "a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/, b=2",
                ["a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/", "b=2"]
            ),
            ("a=1, b", ["a=1, b"]), ("a=1, =2", ["a=1, =2"]), ("a=1, b c=2", ["a=1, b c=2"]),
            ("a=1,  b=2, c=3", ["a=1", "b=2", "c=3"]),
            ("a=1, b;c=2", ["a=1, b;c=2"]), ("", [""]), (" a=1 ", ["a=1"]), ("a=1,", ["a=1,"]),
            ("a=1, ", ["a=1,"]), ("a=1, b[7]=2; Max-Age=0", ["a=1", "b[7]=2; Max-Age=0"]),
            ("a=1, b:c=2, größe=3, {d}@(e)=4", ["a=1", "b:c=2", "größe=3", "{d}@(e)=4"]),
            ("a=1, /?b=2, \"c\"=3", ["a=1, /?b=2, \"c\"=3"]),
        ]
    )
    func splitting(joined: String, fields: [String]) {
        #expect(SetCookieFields.split(joined) == fields)
    }
}
