import Foundation
import Testing

@testable import NetKit

@Suite("Body redaction")
struct RedactedBodyTests {
    private let redaction = Redaction(headers: [], bodyFields: ["IBAN"])

    private func shown(_ text: String, _ type: String?) -> String {
        String(decoding: redaction.shown(body: Data(text.utf8), type: type), as: UTF8.self)
    }

    @Test(
        "redacts JSON members by name, and leaves every other byte unchanged",
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
            (#"{"message":"no password here"}"#, #"{"message":"no password here"}"#),
            (#"["password", "x"]"#, #"["password", "x"]"#),
            // Cut off, and one value a line.
            (#"{"password":"half of a sec"#, #"{"password":"‹redacted›""#),
            (#"{"password":["#, #"{"password":["#),
            (#"{"password":["x"#, #"{"password":["‹redacted›""#),
            (#"{"password":"#, #"{"password":"#),
            (#"{"a\"#, #"{"a\"#),
            ("{\"pin\":1}\n{\"pin\":2}\n", "{\"pin\":0}\n{\"pin\":0}\n"),
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
            // JSON, a form, a header field, and what is percent-encoded within a string.
            (#"["{\"password\":\"x\",\"a\":1}"]"#, #"["{\"password\":\"‹redacted›\",\"a\":1}"]"#),
            (#"["a=1&password=x"]"#, #"["a=1&password=redacted"]"#),
            (#"["Authorization: Bearer x"]"#, #"["Authorization: ‹redacted›"]"#),
            (#"["https%3A%2F%2Fh%2F%3Fsig%3Dx", "100%"]"#, #"["redacted", "100%"]"#),
            (#"["\u0074oken\u003dx"]"#, #"["token=redacted"]"#),
            // What one member names, another one has.
            (
                #"{"name":"password","value":"x","type":"t"}"#,
                #"{"name":"password","value":"‹redacted›","type":"t"}"#
            ),
            (
                #"[{"value":["x",{"a":1}],"Key":"api_key"},{"value":"y","key":"b"}]"#,
                #"[{"value":["‹redacted›",{"a":0}],"Key":"api_key"},{"value":"y","key":"b"}]"#
            ),
            (#"{"value":"it ends too early"#, #"{"value":"‹redacted›""#),
            (#"{"value":["a"],"b":{}}"#, #"{"value":["a"],"b":{}}"#),
            ("", ""), (#""""#, #""""#), ("\u{FEFF}{\"pin\":1}", "\u{FEFF}{\"pin\":0}"),
        ]
    )
    func json(text: String, expected: String) {
        for type in ["application/json", "application/vnd.api+json"] {
            #expect(shown(text, type) == expected)
        }
        // JSON is also found in types that do not name it.
        for type in ["text/plain", nil, "application/octet-stream", "image/png"]
        where text.first == "{" || text.first == "[" {
            #expect(shown(text, type) == expected)
        }
    }

    @Test(
        "shows only the type and length of an unparsable structured body",
        arguments: [
            (#"{"password":x y}"#, "application/json"), (#"{'password':'x'}"#, "application/json"),
            (#"{"a":"b" "password":"x"}"#, "text/json; charset=utf-8"),
            ("password=x", "application/problem+json"), ("<a>x</a>", "application/json"),
            ("{\"a\":\"b\nc\"}", "application/json"), (#"{"a":1}}"#, "application/json"),
            (#"[1,]"#, "application/json"),
            (String(repeating: "[", count: 513), "application/json"),
            (#"{"password":"x""x"}"#, "application/x-www-form-urlencoded"),
            ("password=x", "application/xml"), ("<!DOCTYPE a [", "text/html"),
            ("<!DOCTYPE a [<!ENTITY password 'x'>]><a/>", "text/xml"),
            ("--B\r\npassword\r\n\r\nx\r\n--B--", "multipart/form-data; boundary=B"),
            ("password=x", "multipart/form-data; boundary=B"),
            ("--B\r\n\r\nx\r\n--B--", "multipart/form-data"),
            ("--B\r\n\r\na--B\r\n\r\nx\r\n--B--", "multipart/mixed; boundary=B"),
            ("password=x", "text/plain; charset=ibm037"),
        ]
    )
    func unreadable(text: String, type: String) {
        let essence = type.prefix { $0 != ";" }
        #expect(shown(text, type) == "‹redacted: \(essence), \(text.utf8.count) bytes›")
        #expect(RedactedBody(Data(text.utf8), type: type, by: .none).data == Data(text.utf8))
    }

    @Test("names no invalid type, and uses the singular for one byte")
    func note() {
        #expect(RedactedBody.note(type: nil, length: 1) == "‹redacted: unknown type, 1 byte›")
        #expect(RedactedBody.note(type: "a b/c", length: 2) == "‹redacted: unknown type, 2 bytes›")
        #expect(RedactedBody.note(type: "A/b; c=d", length: 0) == "‹redacted: a/b, 0 bytes›")
    }

    @Test(
        "redacts form fields by name",
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
            // JSON, a form and XML within a value, and in the place of a form.
            ("a=%7B%22password%22%3A%22x%22%7D&b=1", "a=redacted&b=1"),
            ("a=token%3Dx%26b%3D1", "a=redacted"), ("a=%3Cpin%3Ex%3C%2Fpin%3E", "a=redacted"),
            ("a=b;token=x", "a=redacted"), ("https%3A%2F%2Fu%3Ax%40h", "redacted"),
            (#"{"password":"x&y=z"}"#, #"{"password":"‹redacted›"}"#),
            ("<pin>x</pin>", "<pin>‹redacted›</pin>"),
        ]
    )
    func form(text: String, expected: String) {
        #expect(shown(text, "application/x-www-form-urlencoded; charset=utf-8") == expected)
    }

    @Test("redacts form fields that aren't UTF-8, and JSON in UTF-16")
    func encodings() throws {
        let form = Data("password=x&name=".utf8) + [0xFC]
        let shown = redaction.shown(body: form, type: "application/x-www-form-urlencoded")
        #expect(shown == Data("password=redacted&name=".utf8) + [0xFC])
        let wide = try #require(#"{"password":"x"}"#.data(using: .utf16))
        let hidden = redaction.shown(body: wide, type: "application/json")
        #expect(String(data: hidden, encoding: .utf16) == #"{"password":"‹redacted›"}"#)
        let encodings: [String.Encoding] = [
            .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ]
        for encoding in encodings {
            let data = try #require(#"{"password":"x"}"#.data(using: encoding))
            for type in ["application/json", "text/plain", "application/octet-stream", nil] {
                let text = String(data: redaction.shown(body: data, type: type), encoding: encoding)
                #expect(text == #"{"password":"‹redacted›"}"#)
            }
        }
        let half = Data([0, 0x7B, 0xDC, 0])
        let note = Data("‹redacted: application/json, 4 bytes›".utf8)
        #expect(redaction.shown(body: half, type: "application/json") == note)
        #expect(redaction.shown(body: half, type: "image/png") == half)
    }

    @Test(
        "leaves binary data unchanged unless it looks like JSON, and all data without redaction"
    )
    func untouched() {
        let bytes = Data([0xFF, 0x22, 0x00])
        for type in ["image/png", "application/octet-stream", nil] {
            #expect(redaction.shown(body: bytes, type: type) == bytes)
        }
        // Control characters make JSON unreadable, which may say anything.
        for start in ["{\"password\":\"x", " [ 1, {\"password\":\"x"] {
            let body = Data(start.utf8) + [0x01, 0x22, 0x7D]
            let note = Data("‹redacted: image/png, \(body.count) bytes›".utf8)
            #expect(redaction.shown(body: body, type: "image/png") == note)
        }
        let secret = Data(#"{"password":"x"}"#.utf8)
        #expect(Redaction.none.shown(body: secret, type: nil) == secret)
        let latin = Data(#"{"password":"x","name":"Zo"#.utf8) + [0xEB] + Data(#""}"#.utf8)
        let shown = Data(#"{"password":"‹redacted›","name":"Zo"#.utf8) + [0xEB] + Data(#""}"#.utf8)
        #expect(redaction.shown(body: latin, type: "image/png") == shown)
    }

    @Test("combines redactions, except with one that shows everything")
    func adding() {
        let mine = Redaction(headers: ["X-Mine"], bodyFields: ["mine"])
        let both = redaction.adding(mine)
        #expect(both.hides(bodyField: "Iban".utf8) && both.hides(bodyField: "MINE".utf8))
        #expect(redaction.adding(nil) == redaction)
        #expect(redaction.adding(Redaction.none) == redaction)
        #expect(Redaction.none.adding(redaction) == .none)
    }

    @Test("redacts URLs in header fields")
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

    @Test(
        "drops the character beyond ASCII at which it cuts a long body, whole or not",
        arguments: ["é", "€", "😀"]
    )
    func brokenEnds(character: String) {
        let whole = Data(character.utf8)
        // Reads 4 KiB behind the limit.
        for count in 1...whole.count {
            let start = Data(repeating: UInt8(ascii: "a"), count: 4097 - count)
            let shown = RedactedBody(
                start + whole + start,
                type: "text/plain",
                by: redaction,
                limit: 1
            )
            #expect(shown.isCut)
            #expect(shown.data == start)
        }
    }

    @Test("says whether a body is binary, unreadable or neither")
    func obstacles() {
        func obstacle(_ bytes: [UInt8], _ type: String?) -> RedactedBody.Obstacle? {
            RedactedBody(Data(bytes), type: type, by: redaction).obstacle
        }
        #expect(obstacle([0x61, 0x01], "image/png") == .binary)
        #expect(obstacle([0x61, 0x62], "image/png") == nil)
        #expect(obstacle([0x61, 0x01], "text/plain") == nil)
        #expect(obstacle(Array("{".utf8) + [0x22, 0x01], "image/png") == .unreadable)
        #expect(obstacle(Array("x".utf8), "application/json") == .unreadable)
        #expect(obstacle(Array("{}".utf8), "application/json") == nil)
    }

    @Test("redacts the value of each object that labels it as secret, and of no other")
    func labels() {
        #expect(
            shown(
                #"[{"a":1},{"name":"a","value":"b"},{"name":"password","value":"X"},{"value":"c"}]"#,
                "application/json"
            )
                == #"[{"a":1},{"name":"a","value":"b"},{"name":"password","value":"‹redacted›"},{"value":"c"}]"#
        )
    }

    @Test("redacts JSON in a string as JSON, however many lines it has")
    func nestedLines() {
        #expect(
            shown(#"{"a":"{\"password\":\n[\"X\",\"X\"]}"}"#, "application/json")
                == #"{"a":"{\"password\":\n[\"‹redacted›\",\"‹redacted›\"]}"}"#
        )
    }

    @Test("names a type of fewer than 100 bytes")
    func longTypes() {
        func note(_ type: Int, _ subtype: Int) -> String {
            RedactedBody.note(
                type: String(repeating: "t", count: type) + "/"
                    + String(repeating: "s", count: subtype),
                length: 2
            )
        }
        #expect(note(60, 39).hasPrefix("‹redacted: ttt"))
        #expect(note(60, 40) == "‹redacted: unknown type, 2 bytes›")
        #expect(note(10, 100) == "‹redacted: unknown type, 2 bytes›")
    }

    @Test(
        "looks into wide text of a text's type, and into other wide text without control characters"
    )
    func wideText() throws {
        func shown(_ text: String, _ type: String?) throws -> String? {
            let body = try #require(text.data(using: .utf16LittleEndian))
            return String(
                data: redaction.shown(body: body, type: type),
                encoding: .utf16LittleEndian
            )
        }
        #expect(try shown("token=X", "text/plain") == "token=redacted")
        #expect(try shown("token=X \u{1}", "text/plain")?.hasPrefix("token=‹redacted›") == true)
        #expect(try shown("token=X", "image/png") == "token=redacted")
        #expect(try shown("token=X\u{1}", "image/png") == "token=X\u{1}")
    }

    @Test("shows the value of a truncated object with a harmless name")
    func truncatedPairs() {
        for text in [#"{"name":"a","value":"b""#, #"{"value":"b","key":"a""#] {
            #expect(shown(text, "application/json") == text)
        }
        #expect(
            shown(#"{"value":"b","a":1"#, "application/json") == #"{"value":"‹redacted›","a":1"#
        )
    }

    @Test("reads a text as wide only if a zero is among its first four bytes")
    func cutWideText() {
        let rest = Data(repeating: UInt8(ascii: "a"), count: 5000)
        for (start, count) in [("abcd\u{0}", 4097), ("abc\u{0}", 4096)] {
            let body = Data(start.utf8) + rest
            let shown = RedactedBody(body, type: "text/plain", by: redaction, limit: 1)
            #expect(shown.data.count == count)
        }
    }

    @Test("drops at most four bytes that continue a character at the cut")
    func continuations() {
        for (lead, count, isDropped) in [
            (0xF0, 3, true), (0xF0, 4, true), (0xF0, 5, false), (0xC0, 0, true), (0xBF, 0, false),
        ] as [(UInt8, Int, Bool)] {
            let start = Data(repeating: UInt8(ascii: "a"), count: 4096 - count)
            let end = Data([lead]) + Data(repeating: 0x80, count: count)
            let shown = RedactedBody(
                start + end + start,
                type: "text/plain",
                by: redaction,
                limit: 1
            )
            #expect(shown.data == (isDropped ? start : start + end))
        }
    }
}
