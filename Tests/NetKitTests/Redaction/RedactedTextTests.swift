import Foundation
import Testing

@testable import NetKit

@Suite("Plain text redaction")
struct RedactedTextTests {
    @Test(
        "redacts assignments of likely secrets",
        arguments: [
            ("access_token=X", "access_token=redacted"),
            ("access_token=X&a=1&code=X", "access_token=redacted&a=1&code=redacted"),
            ("a password: X and more\nb", "a password: ‹redacted›\nb"),
            ("password=X&a=1 b", "password=‹redacted›&a=1 b"),
            (#"set "api key" => "X", b"#, #"set "api key" => "‹redacted›", b"#),
            ("Client Secret:\n  X\nb", "Client Secret:\n  ‹redacted›\nb"),
            (#"say \"pin\": \"X\", b: 1"#, #"say \"pin\": \"‹redacted›\", b: 1"#),
            ("let token := 'X' // b", "let token := '‹redacted›' // b"),
            (
                "GET /a HTTP/1.1\r\nCookie: X\r\n\r\nb",
                "GET /a HTTP/1.1\r\nCookie: ‹redacted›\r\n\r\nb"
            ),
            ("key: |\ntoken: |\n  X\n  X", "key: |\ntoken: ‹redacted›"),
            ("token: {a: X,\nb: X}", "token: ‹redacted›"),
            ("it said <pin>X</pin> b", "it said <pin>‹redacted›</pin> b"),
            ("pass%77ord=X b", "pass%77ord=‹redacted›"),
            ("user[password]=X\nb", "user[password]=‹redacted›\nb"),
            ("passwords:\n  - X\n  - X", "passwords:\n  ‹redacted›"),
            // URLs.
            ("see https://u:X@h:8443/a?b=c&sig=X, b", "see https://h:8443/a?b=c&sig=redacted b"),
            ("ftp://u:X@h/a", "ftp://h/a"), ("//u:X@h/a?token=X", "//h/a?token=redacted"),
            ("at /cb?code=X b", "at /cb?code=redacted b"),
            ("u:X@h b", "redacted@h b"), ("at u:X@h/a b", "at redacted@h/a b"),
            ("https://auth.h:8443/a b", "https://auth.h:8443/a b"),
            ("u:token=X&me@h b", "u:token=‹redacted›&me@h b"),
            (
                #"x [{"name":"password","value":"X"}]"#,
                #"x [{"name":"password","value":"‹redacted›"}]"#
            ),
            ("a b token=", "a b token="), ("a b token:", "a b token:"),
            ("a token = ", "a token = "),
            ("a token: \n\t", "a token: \n\t"),
            (#"say \"pin\": \"X\"#, #"say \"pin\": \"‹redacted›"#),
            ("say 'pin': 'X", "say 'pin': '‹redacted›"),
            ("say `pin`: `X` b", "say `pin`: `‹redacted›` b"),
            ("x api-key: X", "x api-key: ‹redacted›"), ("x api_key: X", "x api_key: ‹redacted›"),
            ("x api.key: X", "x api.key: ‹redacted›"), ("x $token: X", "x $token: ‹redacted›"),
            ("x token2: X", "x token2: ‹redacted›"),
            ("see https://h/a`u:X@h b", "see https://h/aredacted@h b"),
            // JSON in a line, and what is none.
            (
                "data: {\"token\":\"X\"}\n\ndata: {\"a\":1}",
                "data: {\"token\":\"‹redacted›\"}\n\ndata: {\"a\":1}"
            ),
            ("[INFO] {\"token\":\"X\"}", "[INFO] {\"token\":\"‹redacted›\"}"),
            (#"{"password":x y}"#, #"{"password":‹redacted›"#),
            (#"data: {"password":["X","#, #"data: {"password":["‹redacted›","#),
            ("data: {\"token\": {\ndata: \"a\": \"X\"", "data: {\"token\": ‹redacted›"),
            // What counts, and what is no secret.
            ("password=\"\" user=\"ann\"", "password=\"\" user=\"ann\""),
            (
                "a\nb {\"password\":[\"X\",\"X\"]}\nc {\"pin\":[\"X\",\"X\"]}",
                "a\nb {\"password\":[\"‹redacted›\",\"‹redacted›\"]}\n"
                    + "c {\"pin\":[\"‹redacted›\",\"‹redacted›\"]}"
            ),
            (#"password="a\\" user="ann""#, #"password="‹redacted›" user="ann""#),
            ("a max_tokens=1:2", "a max_tokens=‹redacted›"),
            ("max_tokens=42\ntoken=42", "max_tokens=42\ntoken=‹redacted›"),
            ("author: a, time: 10:00", "author: a, time: 10:00"), ("plain", "plain"),
            ("a=1 b=2 me@h", "a=1 b=2 me@h"), ("token=", "token="), ("::==:", "::==:"),
            ("\u{301}token\u{301}=X b", "\u{301}token\u{301}=‹redacted›"),
        ]
    )
    func hides(text: String, expected: String) {
        for type in [
            "text/plain", "text/event-stream", "application/octet-stream", "image/png", nil,
        ] {
            let shown = Redaction.secrets.shown(body: Data(text.utf8), type: type)
            #expect(String(decoding: shown, as: UTF8.self) == expected)
            #expect(Redaction.secrets.shown(body: shown, type: type) == shown)
        }
    }

    @Test(
        "ends a word, and with it a user's name, at every separator",
        arguments: [" ", "\t", "\"", "'", "<", "(", ",", "\n", "\r"]
    )
    func separators(separator: String) {
        let text = "a:b\(separator)me@h"
        #expect(
            Redaction.secrets.shown(body: Data(text.utf8), type: "text/plain") == Data(text.utf8)
        )
    }

    @Test(
        "ends a URL at every character that can't be part of one",
        arguments: [" ", "\t", "\"", "'", "<", ">", "`", "\u{1F}", "\n"]
    )
    func urlEnds(end: String) {
        let text = "see https://u:X@h/a?sig=X\(end)u/v"
        let shown = Redaction.secrets.shown(body: Data(text.utf8), type: "text/plain")
        #expect(String(decoding: shown, as: UTF8.self) == "see https://h/a?sig=redacted\(end)u/v")
    }

    @Test("takes slashes without a scheme for no URL with one")
    func noScheme() {
        let text = "a ://h/?b=1 c"
        #expect(
            Redaction.secrets.shown(body: Data(text.utf8), type: "text/plain") == Data(text.utf8)
        )
    }
}
