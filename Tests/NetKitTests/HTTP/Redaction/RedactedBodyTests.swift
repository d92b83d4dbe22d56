import Foundation
import Testing

@testable import NetKit

@Suite("Redaction of bodies")
struct RedactedBodyTests {
    private let redaction = Redaction(headers: [], bodyFields: ["IBAN"])

    private func shown(_ text: String, _ type: String?) -> String {
        String(decoding: redaction.shown(body: Data(text.utf8), type: type), as: UTF8.self)
    }

    @Test(
        "hides members of JSON by their names, and leaves every other byte alone",
        arguments: [
            (#"{"a": 1,  "password" : "x" }"#, #"{"a": 1,  "password" : "‹redacted›" }"#),
            (#"{"token":12,"b":"token"}"#, #"{"token":0,"b":"token"}"#),
            (#"{"iban":{"a":["}"]},"b":2}"#, #"{"iban":{"a":["‹redacted›"]},"b":2}"#),
            (#"[{"x":{"apiKey":[1,[-2e3,null]]}},3]"#, #"[{"x":{"apiKey":[0,[0,null]]}},3]"#),
            (
                #"{"session":{"id":1,"user":{"name" : "x","token":true}},"b":"c"}"#,
                #"{"session":{"id":0,"user":{"name" : "‹redacted›","token":true}},"b":"c"}"#
            ),
            // What counts is no secret.
            (
                #"{"max_tokens":42,"tokenCount":7,"token_expires_in":3600,"tokens":"x"}"#,
                #"{"max_tokens":42,"tokenCount":7,"token_expires_in":3600,"tokens":"‹redacted›"}"#
            ),
            (
                #"{"author":"a","new_pin":1,"spinning":2}"#,
                #"{"author":"a","new_pin":0,"spinning":2}"#
            ),
            (#"{"pass\u0077ord":"x\"y"}"#, #"{"pass\u0077ord":"‹redacted›"}"#),
            (#"{"token":null,"secret":true}"#, #"{"token":null,"secret":true}"#),
            (#"{"message":"no password: here"}"#, #"{"message":"no password: here"}"#),
            (#"["password", "x"]"#, #"["password", "x"]"#),
            // Cut off, one value a line, server-sent events.
            (#"{"password":"half of a sec"#, #"{"password":"‹redacted›""#),
            (#"{"password":["#, #"{"password":["#),
            (#"{"password":["x"#, #"{"password":["‹redacted›""#),
            (#"{"password":x y}"#, #"{"password":"‹redacted›" y}"#),
            (#"{"password":"#, #"{"password":"#),
            (#"{"a\"#, #"{"a\"#),
            ("{\"pin\":1}\n{\"pin\":2}\n", "{\"pin\":0}\n{\"pin\":0}\n"),
            ("data: {\"token\":\"x\"}\n\n", "data: {\"token\":\"‹redacted›\"}\n\n"),
            (
                #"{"url":"https:\/\/h\/p?a=1&token=x#t","b":"https://h/p?a=1#token"}"#,
                #"{"url":"https://h/p?a=1&token=redacted#t","b":"https://h/p?a=1#token"}"#
            ),
            (
                #"["https://me:x@h/a", "wss://h/?token=x"]"#,
                #"["https://h/a", "wss://h/?token=redacted"]"#
            ),
            (#"["/items?sig=\"x", "a@b.c"]"#, #"["/items?sig=redacted", "a@b.c"]"#),
            (#"["http://h?sig=x&\"b=1"]"#, #"["http://h?sig=redacted&\"b=1"]"#),
            (#"["http://h/cb#access_token=x&a=1"]"#, #"["http://h/cb#access_token=redacted&a=1"]"#),
            // JSON within JSON.
            (#"["{\"password\":\"x\",\"a\":1}"]"#, #"["{\"password\":\"‹redacted›\",\"a\":1}"]"#),
            ("https://h/?sig=x", "https://h/?sig=redacted"), ("", ""), ("plain", "plain"),
            (#""""#, #""""#),
        ]
    )
    func json(text: String, expected: String) {
        for type in ["application/json", "application/vnd.api+json", "text/plain", nil] {
            #expect(shown(text, type) == expected)
        }
    }

    @Test(
        "hides fields of a form by their names",
        arguments: [
            ("a=1&password=x%26y&b=", "a=1&password=redacted&b="),
            ("iban=1&client+secret=2", "iban=redacted&client+secret=redacted"),
            ("user%5Bpassword%5D=x", "user%5Bpassword%5D=redacted"), ("flag&", "flag&"),
            (
                "to=https%3A%2F%2Fh%2F%3Fsig%3Dx&a=https%3A%2F%2Fh%2F%3Fb",
                "to=redacted&a=https%3A%2F%2Fh%2F%3Fb"
            ),
            ("password=\u{301}x", "password=redacted"),
            ("code_verifier=x", "code_verifier=redacted"),
            ("SAMLResponse=x&user_pwd=y&k=z", "SAMLResponse=redacted&user_pwd=redacted&k=z"),
        ]
    )
    func form(text: String, expected: String) {
        #expect(shown(text, "application/x-www-form-urlencoded; charset=utf-8") == expected)
    }

    @Test("hides parts of a multipart body by their names, and looks into those that are JSON")
    func parts() throws {
        struct Text: MultipartFile {
            let name: String
            let fileName = "f"
            let mime: MimeType = .application(.json)
            let resource: any MultipartResourceConvertible
        }
        func body(_ password: String, _ json: String, _ token: String) throws -> String {
            let body = try MultipartEncoder.encode(
                fields: [("a", "1"), ("password", password)],
                files: [
                    Text(name: "file", resource: Data(json.utf8)),
                    Text(name: "token", resource: Data(token.utf8)),
                ],
                boundary: "B"
            )
            return String(decoding: try #require(body.source.data), as: UTF8.self)
        }
        let mark = Redaction.mark
        let original = try body("SECRET\r\n", #"{"otp":"SECRET"}"#, "SECRET")
        let expected = try body(mark, #"{"otp":"\#(mark)"}"#, mark)
        #expect(shown(original, "multipart/form-data; boundary=B") == expected)
        #expect(shown(original, "multipart/form-data; boundary=\"other\"") == original)
        #expect(shown("--B\r\n", "multipart/form-data; boundary=B") == "--B\r\n")
    }

    @Test("hides fields of a form that is not UTF-8, and members of JSON that is UTF-16")
    func encodings() throws {
        let form = Data("password=x&name=".utf8) + [0xFC]
        let shown = redaction.shown(body: form, type: "application/x-www-form-urlencoded")
        #expect(shown == Data("password=redacted&name=".utf8) + [0xFC])
        let wide = try #require(#"{"password":"x"}"#.data(using: .utf16))
        let hidden = redaction.shown(body: wide, type: "application/json")
        #expect(String(data: hidden, encoding: .utf16) == #"{"password":"‹redacted›"}"#)
    }

    @Test(
        "hides parts however their names are written",
        arguments: [
            #"form-data;name="password""#, "form-data; name=password",
            #"form-data; a="; name=b"; name="password""#,
        ]
    )
    func names(disposition: String) {
        let body = "--B\r\nContent-Disposition: \(disposition)\r\n\r\nx\r\n--B--\r\n"
        #expect(!shown(body, "multipart/form-data; boundary=B").contains("\r\nx\r\n"))
    }

    @Test("leaves bytes that are no text alone, and everything when nothing is to be hidden")
    func untouched() {
        let bytes = Data([0xFF, 0x22, 0x00])
        for type in ["image/png", "application/octet-stream", nil] {
            #expect(redaction.shown(body: bytes, type: type) == bytes)
        }
        let secret = Data(#"{"password":"x"}"#.utf8)
        #expect(Redaction.none.shown(body: secret, type: nil) == secret)
        #expect(redaction.shown(body: secret, type: "image/png") == secret)
    }

    @Test("adds up, but for one that shows everything")
    func adding() {
        let mine = Redaction(headers: ["X-Mine"], bodyFields: ["mine"])
        let both = redaction.adding(mine)
        #expect(both.hides(bodyField: "Iban") && both.hides(bodyField: "MINE"))
        #expect(redaction.adding(nil) == redaction)
        #expect(redaction.adding(Redaction.none) == redaction)
        #expect(Redaction.none.adding(redaction) == .none)
    }

    @Test("covers addresses in header fields")
    func addresses() {
        let fields: HTTPHeaders = ["Location": "https://u:p@h/p?token=SECRET#x"]
        let shown = redaction.shown(fields["Location"] ?? "", of: "Location", in: fields)
        #expect(shown == "https://h/p?token=redacted")
        let others: HTTPHeaders = [
            "Link": #"<https://h/i?page=2&access_token=x>; rel="next", </a?b=1>; rel=prev"#,
            "Refresh": "5; url=https://h/?token=x",
            "X-Original-URL": "https://u:p@h/?a=1&sig=x",
            "X-GitHub-OTP": "x",
            "X-Auth": "x",
        ]
        let texts = others.map { redaction.shown($0.value, of: $0.name, in: others) }
        #expect(
            texts == [
                #"<https://h/i?page=2&access_token=redacted>; rel="next", </a?b=1>; rel=prev"#,
                "5; url=https://h/?token=redacted", "https://h/?a=1&sig=redacted", Redaction.mark,
                Redaction.mark,
            ]
        )
    }
}
