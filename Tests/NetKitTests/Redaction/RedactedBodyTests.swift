import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Body redaction")
struct RedactedBodyTests {
    private let redaction = Redaction(bodyFields: ["IBAN"], showsFields: true)

    private func shown(_ text: String, _ type: String?) -> String {
        String(decoding: redaction.shown(body: Data(text.utf8), type: type), as: UTF8.self)
    }

    @Test(
        "redacts JSON members by name, and leaves every other byte unchanged",
        arguments: [
            (#"{"a": 1,  "password" : "x" }"#, #"{"a": 1,  "password" : "‹redacted›" }"#),
            (#"{"token":12,"b":"token"}"#, #"{"token":0,"b":"token"}"#),
            (#"{"iban":{"a":["}"]},"b":2}"#, #"{"iban":{"a":["‹redacted›"]},"b":2}"#),
            (
                #"{"user[iban]":"x","bank.Iban":1,"iban[size]":2,"ibans[a]":3}"#,
                #"{"user[iban]":"‹redacted›","bank.Iban":0,"iban[size]":0,"ibans[a]":3}"#
            ),
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
            // What an element of an array names, the next ones have.
            (#"["password", "x"]"#, #"["password", "‹redacted›"]"#),
            (
                #"[["Authorization","Bearer x",1,["y"]],["Accept","z"]]"#,
                #"[["Authorization","‹redacted›",0,["‹redacted›"]],["Accept","z"]]"#
            ),
            (
                #"{"args":["-v","--password","x"],"b":["c"]}"#,
                #"{"args":["-v","--password","‹redacted›"],"b":["c"]}"#
            ),
            (#"{"csrf":"x","sig":"z"}"#, #"{"csrf":"‹redacted›","sig":"‹redacted›"}"#),
            (#"{"Bearer":"x"}"#, #"{"Bearer":"‹redacted›"}"#),
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
            (#"["Authorization: Bearer x"]"#, #"["‹redacted›"]"#),
            (#"{"a":"-----BEGIN PRIVATE KEY-----\nx"}"#, #"{"a":"‹redacted›"}"#),
            (#"["https://h/session","/token?a","x"]"#, #"["https://h/session","/token?a","x"]"#),
            (#"["<password>x</password>"]"#, #"["‹redacted›"]"#),
            (#"["<i>y</i>"]"#, #"["<i>y</i>"]"#),
            (#"{"a":"see https://me:x@h/","b":"at 10:30"}"#, #"{"a":"‹redacted›","b":"at 10:30"}"#),
            (#"["see https://h/?sig=x"]"#, #"["‹redacted›"]"#),
            (#"["see https://h/?c=y"]"#, #"["see https://h/?c=y"]"#),
            (#"{"a":"the iban: x"}"#, #"{"a":"‹redacted›"}"#),
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
            // A string without a name.
            ("", ""), (#""x""#, #""‹redacted›""#), ("1", "1"),
            ("\u{FEFF}{\"pin\":1}", "\u{FEFF}{\"pin\":0}"),
        ]
    )
    func json(text: String, expected: String) {
        for type in ["application/json", "application/vnd.api+json"] {
            #expect(shown(text, type) == expected)
        }
    }

    @Test(
        "shows only the type and length of a body, unless it is asked for more",
        arguments: [
            "application/json", "application/x-www-form-urlencoded", "multipart/mixed; boundary=B",
            "text/plain", "text/csv", "application/xml", "text/event-stream", "application/jwt",
            "application/x-pem-file", "application/yaml", "image/png", nil,
        ]
    )
    func byDefault(type: String?) {
        let body = Data("{}".utf8)
        let essence = type.map { String($0.prefix { $0 != ";" }) }
        let note = "‹redacted: \(essence ?? "unknown type"), 2 bytes›"
        for redaction in [Redaction.secrets, Redaction(headers: ["X-A"], wholeBodies: ["a/b"])] {
            #expect(redaction.shown(body: body, type: type) == Data(note.utf8))
            let shown = RedactedBody(body, type: type, by: redaction.rules)
            #expect(shown.data == nil && shown.steps == 0)
        }
        #expect(Redaction.none.shown(body: body, type: type) == body)
        let whole = Redaction(wholeBodies: [type.map { MimeType(rawValue: $0) } ?? .binary])
        let isWhole = BodyKind(type) == .other
        #expect((whole.shown(body: body, type: type) == body) == isWhole)
        // One consent is not the other.
        let isJSON = type == "application/json" || type == "application/x-www-form-urlencoded"
        #expect((Redaction(showsFields: true).shown(body: body, type: type) == body) == isJSON)
    }

    @Test("shows a consented type whole, whatever its case and parameters")
    func whole() {
        let redaction = Redaction(wholeBodies: ["Text/CSV; header=present"])
        let body = Data("password\nx".utf8)
        for type in ["text/csv", "TEXT/csv; charset=utf-8"] {
            #expect(redaction.shown(body: body, type: type) == body)
        }
        #expect(redaction.shown(body: body, type: "text/csvx") != body)
        let all = Redaction(wholeBodies: ["*/*"])
        for type in ["text/csvx", "image/png", nil] {
            #expect(all.shown(body: body, type: type) == body)
        }
        #expect(RedactedBody(body, type: "text/json", by: all.rules).data == nil)
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
            ("<pin>x</pin>", "application/x-www-form-urlencoded"),
            ("machine h password x", "application/x-www-form-urlencoded"),
            ("password: x", "application/x-www-form-urlencoded"),
            ("a=1\nb", "application/x-www-form-urlencoded"),
            ("password=x", "application/xml"), ("<a/>", "text/html"), ("xy", "text/plain"),
            (#"{"a":1}"#, "application/json; charset=utf-16"),
            ("--B\r\npassword\r\n\r\nx\r\n--B--", "multipart/form-data; boundary=B"),
            ("password=x", "multipart/form-data; boundary=B"),
            ("--B\r\n\r\nx\r\n--B--", "multipart/form-data"),
            ("--B\r\n\r\na--B\r\n\r\nx\r\n--B--", "multipart/mixed; boundary=B"),
            ("a=x", "application/x-www-form-urlencoded; charset=ibm037"),
        ]
    )
    func unreadable(text: String, type: String) {
        let essence = type.prefix { $0 != ";" }
        #expect(shown(text, type) == "‹redacted: \(essence), \(text.utf8.count) bytes›")
        #expect(
            RedactedBody(Data(text.utf8), type: type, by: Redaction.none.rules).data
                == Data(text.utf8)
        )
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
            ("user%5Bpassword%5D=x", "user%5Bpassword%5D=redacted"), ("flag&", "redacted&"),
            (
                "user%5BIBAN%5D=x&iban%5B%5D=y&user.iban=z&ibans%5B%5D=1",
                "user%5BIBAN%5D=redacted&iban%5B%5D=redacted&user.iban=redacted&ibans%5B%5D=1"
            ),
            ("%2574oken=x&%25252574oken=y", "%2574oken=redacted&%25252574oken=redacted"),
            ("100%=x", "100%=x"),
            ("ticket=x&hmac=y&url_hash=z", "ticket=redacted&hmac=redacted&url_hash=redacted"),
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
            ("[a]=1", "[a]=1"), (#"[{"pin":1}]"#, #"[{"pin":0}]"#),
        ]
    )
    func form(text: String, expected: String) {
        #expect(shown(text, "application/x-www-form-urlencoded; charset=utf-8") == expected)
    }

    @Test("redacts the numbers of listed members, also if their names sound like amounts")
    func listedAmounts() {
        let redaction = Redaction(bodyFields: ["Age", "session_limit"], showsFields: true)
        let body = Data(#"{"age":42,"session_limit":5000,"session_count":7}"#.utf8)
        #expect(
            redaction.shown(body: body, type: "application/json")
                == Data(#"{"age":0,"session_limit":0,"session_count":7}"#.utf8)
        )
    }

    @Test("redacts form fields and JSON that aren't UTF-8, and shows nothing of UTF-16")
    func encodings() throws {
        let form = Data("password=x&name=".utf8) + [0xFC]
        let shown = redaction.shown(body: form, type: "application/x-www-form-urlencoded")
        #expect(shown == Data("password=redacted&name=".utf8) + [0xFC])
        let latin = Data(#"{"password":"x","name":"Zo"#.utf8) + [0xEB] + Data(#""}"#.utf8)
        let hidden = Data(#"{"password":"‹redacted›","name":"Zo"#.utf8) + [0xEB] + Data(#""}"#.utf8)
        #expect(redaction.shown(body: latin, type: "application/json") == hidden)
        let encodings: [String.Encoding] = [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ]
        for encoding in encodings {
            let data = try #require(#"{"password":"x"}"#.data(using: encoding))
            for type in ["application/json", "application/x-www-form-urlencoded"] {
                #expect(RedactedBody(data, type: type, by: redaction.rules).data == nil)
            }
        }
    }

    @Test("combines redactions, and redacts nothing with one that shows everything")
    func adding() {
        let mine = Redaction(headers: ["X-Mine"], bodyFields: ["mine"])
        let both = redaction.adding(mine)
        #expect(
            both.rules.hides(bodyField: ArraySlice("Iban".utf8))
                && both.rules.hides(bodyField: ArraySlice("MINE".utf8))
        )
        let more = both.adding(
            Redaction(shownHeaders: ["X-A"], showsFields: true, wholeBodies: ["a/b"])
        )
        #expect(more.rules.shows("X-A") && !both.rules.shows("X-A") && !more.rules.shows("X-Mine"))
        #expect(more.rules.shows(.json, type: nil) && more.rules.shows(.other, type: "a/b"))
        #expect(
            mine.showingFields.rules.shows(.form, type: nil) && !mine.rules.shows(.form, type: nil)
        )
        #expect(redaction.adding(nil) == redaction)
        #expect(redaction.adding(Redaction.none) == redaction)
        let everything = Redaction.none.adding(mine)
        #expect(!everything.rules.hides(bodyField: ArraySlice("mine".utf8)))
        #expect(everything.headers == ["X-Mine"])
    }

    @Test(
        "drops an incomplete character at which it cuts a long body",
        arguments: ["é", "€", "😀"]
    )
    func brokenEnds(character: String) {
        let text = Redaction(wholeBodies: ["text/plain"])
        let whole = Data(character.utf8)
        // Reads 4 KiB behind the limit.
        for count in 1...whole.count {
            let start = Data(repeating: UInt8(ascii: "a"), count: 4097 - count)
            let shown = RedactedBody(
                start + whole + start,
                type: "text/plain",
                by: text.rules,
                limit: 1
            )
            #expect(shown.isCut)
            #expect(shown.data == start + (count == whole.count ? whole : Data()))
        }
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

    @Test(
        "knows every name that labels a value, and of a labeled value, in any case",
        arguments: [
            "name", "key", "field", "fieldname", "header", "headername", "id", "k", "kind", "label",
            "param", "parameter", "property", "attribute", "type", "variable",
        ],
        [
            "value", "values", "val", "v", "content", "contents", "data", "text", "default",
            "stringvalue", "rawvalue", "current",
        ]
    )
    func pairNames(name: String, value: String) {
        for (name, value) in [(name, value), (name.uppercased(), value.capitalized)] {
            let text = #"{"\#(name)":"password","\#(value)":"X"}"#
            let expected = #"{"\#(name)":"password","\#(value)":"‹redacted›"}"#
            #expect(shown(text, "application/json") == expected)
        }
        for (name, value) in [(name + "x", value), (name, value + "_"), (value, name)] {
            let text = #"{"\#(name)":"password","\#(value)":"X"}"#
            #expect(shown(text, "application/json") == text)
        }
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

    @Test("shows the value of a truncated object with a harmless name")
    func truncatedPairs() {
        for text in [#"{"name":"a","value":"b""#, #"{"value":"b","key":"a""#] {
            #expect(shown(text, "application/json") == text)
        }
        #expect(
            shown(#"{"value":"b","a":1"#, "application/json") == #"{"value":"‹redacted›","a":1"#
        )
    }

    @Test("keeps bytes that aren't text at the cut")
    func continuations() {
        for (lead, count) in [(0xF0, 4), (0xBF, 0), (0xBF, 3)] as [(UInt8, Int)] {
            let body = Data("a".utf8) + Data([lead]) + Data(repeating: 0x80, count: count)
            #expect(RedactedBody.withoutBrokenEnd(body) == body)
        }
        #expect(RedactedBody.withoutBrokenEnd(Data()) == Data())
        #expect(RedactedBody.withoutBrokenEnd(Data([0xF0, 0x9F])) == Data())
    }

    @Test(
        "removes a character that is cut, whatever its length",
        arguments: [
            "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{FFFF}", "\u{10000}",
            "\u{3FFFF}", "\u{40000}", "\u{10FFFF}",
        ]
    )
    func cutCharacter(text: String) {
        for count in 1...text.utf8.count {
            let body = Data("a".utf8) + Data(text.utf8).prefix(count)
            let isWhole = count == text.utf8.count
            #expect(RedactedBody.withoutBrokenEnd(body) == (isWhole ? body : Data("a".utf8)))
        }
    }

    @Test("knows its own placeholder, and no other text")
    func notes() {
        func isNote(_ text: String, _ type: String?) -> Bool {
            RedactedBody.isNote(Array(text.utf8)[...], type: type)
        }
        for (type, length) in [("a/b", 1), (nil, 7), ("a/b; c=d", 20_000)] as [(String?, Int)] {
            #expect(isNote(RedactedBody.note(type: type, length: length), type))
        }
        for text in ["", "7", "‹redacted: a/b, x bytes›", "‹redacted: a/b, 1 bytes›", "1 byte"] {
            #expect(!isNote(text, "a/b"))
        }
    }
}
