import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("JSON parser")
struct JSONParserTests {
    private func parsed(_ text: String) throws -> Any { try JSONText.any(of: Data(text.utf8)) }

    @Test("returns values that cast as Swift users expect")
    func casts() throws {
        let json = try #require(
            parsed(
                #"{"i":1,"d":1.5,"t":true,"f":false,"s":"é","n":null,"a":[1,2],"o":{"x":1},"w":2.0}"#
            )
                as? [String: Any]
        )
        #expect(json["i"] as? Int == 1)
        #expect(json["i"] as? Double == 1)
        #expect(json["i"] as? Int64 == 1)
        #expect(json["d"] as? Double == 1.5)
        #expect(json["d"] as? Int == nil)
        #expect(json["w"] as? Int == 2)
        #expect(json["t"] as? Bool == true)
        #expect(json["f"] as? Bool == false)
        #expect(json["t"] as? Int == nil)
        #expect(json["s"] as? String == "é")
        #expect(json["n"] is NSNull)
        #expect(json["a"] as? [Int] == [1, 2])
        #expect(json["a"] as? [Any] != nil)
        #expect(json["o"] as? [String: Any] != nil)
        #expect(json["o"] as? [String: Int] == ["x": 1])
    }

    @Test(
        "round-trips every number through the writer",
        arguments: [
            "0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.1",
            "1.1",
            "123.456", "-0.3", "0.30000000000000004", "12345678901234567890123456789012345678",
            "0.12345678901234567890123456789012345678", "99999999999999999999", "1e+100", "1e-07",
            "1e400",
            "-1e-400", "3.141592653589793238", "1234567.1234567891", "4.35", "1e+130",
            "1.0e-9223372036854775808", "10e9223372036854775807", "0.1e-9223372036854775808",
            "100e9223372036854775807", "1e-9223372036854775809", "1e18446744073709551616",
        ]
    )
    func numbers(text: String) throws {
        let json = try parsed("[\(text)]")
        #expect(String(decoding: try JSONWriter.data(fromAny: json), as: UTF8.self) == "[\(text)]")
    }

    @Test(
        "keeps the value of unusually written numbers through the writer",
        arguments: [
            ("1.0", "1"), ("1.50", "1.5"), ("1E2", "100"), ("15e-1", "1.5"), ("-0", "0"),
            ("1e2", "100"),
        ]
    )
    func spellings(text: String, expected: String) throws {
        let written = try JSONWriter.data(fromAny: try parsed(text))
        let decimal = try JSONDecoder().decode(Decimal.self, from: written)
        #expect(decimal.description == expected)
    }

    @Test("distinguishes 1 from true through the writer")
    func booleans() throws {
        let text = "[1,0,true,false,1.5]"
        #expect(try JSONWriter.data(fromAny: parsed(text)) == Data(text.utf8))
    }

    @Test(
        "accepts and rejects the same JSON as JSONDecoder",
        arguments: [
            "[1,]", "{\"a\":1,}", "[ ]", "{ }", "[1 , ]", " { \"a\" : 1 , \"b\" : [ 2 , 3 ] , } ",
            "[\"\\\\\"]",
            "[,]", "[1,,2]", "[01]", "[1.]", "[.5]", "[+1]", "[-]", "[1e]",
            "[1e+]", "[0x1]",
            "[tru]", "[nul]", "[True]", "[NaN]", "['a']", "[\"\\x\"]", "[\"\\u12\"]",
            "[\"\\ud800\"]",
            "[\"\\ud800\\u0041\"]", "[\"\\udc00\"]", "[\"\n\"]", "[\"\t\"]", "[\"a]", "[1 2]",
            "{\"a\" 1}", "{1:2}",
            "[1]]", "[1] ", "\u{FEFF}[1]", "[\"\\/\\b\\f\\n\\r\\t\\\"\\\\\"]",
            "[\"\\ud83d\\ude00\"]", "1", "\"s\"", "null",
            "[\"\\udbff\\udfff\"]", "[\"\\udbff\\udc00\"]", "[\"\\ud800\\udc00\"]",
            "[\"\\ud800\\udbff\"]", "[\"\\ud800\\ue000\"]", "[\"\\udc00\\udc00\"]",
            "[\"\\ud7ff\\ue000\"]", "[\"\\ud800\\u\"]", "[\"\\ud800\\udc0\"]", "[\"\\ud800\\\"]",
            "[\"\\uD83D\\n\"]", "[\"\\uffff\"]",
            "[-0]", "[0]", "[1E5]", "[-1.5e-3]", "", " ", "{}", "[[]]", "{\"a\":{}}", "//x\n1",
        ]
    )
    func grammar(text: String) throws {
        let own = Result { try JSONText.value(of: Data(text.utf8)) }
        let other = Result { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
        #expect((try? own.get()) == (try? other.get()))
    }

    @Test(
        "reports where and why a text ends",
        arguments: [
            ("[", .unexpectedEnd, 1), ("", .unexpectedEnd, 0), ("[1", .unexpectedEnd, 2),
            ("[1 x", .unexpectedCharacter, 3), ("[\"\\x\"]", .invalidString, 2),
        ] as [(String, JSONSyntaxError.Reason, Int)]
    )
    func failures(text: String, reason: JSONSyntaxError.Reason, offset: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try parsed(text) }
        #expect(error.reason == reason && error.offset == offset)
    }

    @Test("rejects strings that aren't UTF-8")
    func invalidUTF8() {
        for bytes: [UInt8] in [
            [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0x80], [0xED, 0xA0, 0x80],
        ] {
            let data = Data("[\"".utf8) + Data(bytes) + Data("\"]".utf8)
            #expect(throws: JSONSyntaxError.self) { try JSONText.any(of: data) }
        }
    }

    @Test("parses as deep as JSONDecoder")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parsed(nested(512))
        #expect(throws: JSONSyntaxError.self) { try parsed(nested(514)) }
    }

    @Test("parses scalars at the deepest level, and nothing below it")
    func deepest() throws {
        func nested(_ depth: Int, _ inside: String) -> String {
            String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth)
        }
        for text in [
            nested(513, ""), nested(512, "1"), nested(512, "{}"), nested(511, #"{"a":1}"#),
        ] {
            #expect(throws: Never.self) { try parsed(text) }
        }
        for text in [
            nested(514, ""), nested(513, "1"), nested(513, "{}"), nested(512, #"{"a":1}"#),
        ] {
            #expect(throws: JSONSyntaxError.self) { try parsed(text) }
        }
    }

    @Test(
        "rejects a lone byte of a longer character, of every value",
        arguments: UInt8(0x80)...0xFF
    )
    func loneBytes(byte: UInt8) {
        let data = Data("[\"".utf8) + [byte] + Data("\"]".utf8)
        #expect(throws: JSONSyntaxError.self) { try JSONText.any(of: data) }
    }

    @Test(
        "holds a number as a Double only when that is exact",
        arguments: [
            ("1e5", true), ("1.5e-3", true), ("100e-2", true), ("0.1", true), ("-0", true),
            ("1e300", true), ("-5e-2", true), ("-0e5", true), ("-0.0", true),
            ("1E+5", true), ("0.10", true), ("0.1000000000000000055511151231257827", false),
            ("1e-128", true),
            ("1.00000000000000000001", false), ("12345678901234567890.5", false),
        ]
    )
    func exactness(text: String, isDouble: Bool) throws {
        let number = try #require(try parsed(text) as? NSNumber)
        #expect(!(number is NSDecimalNumber) == isDouble)
    }
}
