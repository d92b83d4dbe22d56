import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("JSON scanner")
struct JSONScannerTests {
    private func node(_ path: String, in text: String) throws -> String {
        String(decoding: try JSONText.slice(of: Data(text.utf8), at: JSONPath(path)), as: UTF8.self)
    }

    private func failure(_ path: String, in text: String) -> ConversionFailure.Reason? {
        do throws(ConversionFailure) {
            _ = try JSONText.slice(of: Data(text.utf8), at: JSONPath(path))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "finds a node and returns its exact text",
        arguments: [
            ("", " {\"a\": 1}\n", "{\"a\": 1}"), ("a", "{\"a\": 1 , \"b\":2}", "1"),
            ("b", "{\"a\":1,\"b\": 2}", "2"), ("a/b", "{\"a\":{\"b\":[ 1 ]},\"c\":{}}", "[ 1 ]"),
            ("a/1/b", "{\"a\":[0,{\"b\":\"x\"},2]}", "\"x\""), ("0", "[null]", "null"),
            ("2", "[[1,[2]],{\"]\":\"}\"},true]", "true"), ("1/0", "[0,[false]]", "false"),
            ("a", "{\"x\":\"a\\\"b\\\\\",\"a\":-1.5e+3}", "-1.5e+3"),
            ("0", "{\"0\":\"key\"}", "\"key\""),
            ("a", "{\"x\":{\"a\":1},\"a\":2}", "2"), ("/a//b/", "{\"a\":{\"b\":3}}", "3"),
            ("é", "{\"\\u00e9\":1}", "1"), ("a", "{\"\\u0061\":1}", "1"),
            ("ab", "{\"a\\u0062\":1}", "1"),
            ("e\u{301}", "{\"é\":1}", "1"), ("😀", "{\"\\ud83d\\ude00\":1}", "1"),
            ("a", "{\"a\":1,}", "1"),
            ("a~1b", "{\"a/b\":1}", "1"), ("a~0b", "{\"a~b\":1}", "1"), ("a.b", "{\"a.b\":1}", "1"),
            ("a", "{\"a\":\"\\\\\"}", "\"\\\\\""), ("1", "[\"[\\\"\",2,]", "2"),
            ("a", "{\"a\":1}\r\n\t ", "1"), ("b", " { \"a\" : 1 , \"b\" : 2 } ", "2"),
            ("1", " [ 1 , [ 2 ] , ] ", "[ 2 ]"),
        ]
    )
    func found(path: String, text: String, expected: String) throws {
        #expect(try node(path, in: text) == expected)
    }

    @Test("returns the first of two members with one name, like JSONDecoder")
    func repeatedMember() throws {
        for text in ["{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}"] {
            let decoded = try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
            #expect(try node("a", in: text) == "1")
            #expect(decoded["a"] == 1)
            #expect(try JSONText.value(of: Data(text.utf8)) == ["a": 1])
        }
    }

    @Test(
        "reports where a path ends",
        arguments: [
            ("a/x", "{\"a\":{\"b\":1}}", "a.x", "a", "an object without x"),
            ("x", "{}", "x", "", "an object without x"),
            ("x", "{ }", "x", "", "an object without x"),
            ("0", "[ ]", "[0]", "", "an array with fewer elements"),
            ("a/3/b", "{\"a\":[1]}", "a[3].b", "a", "an array with fewer elements"),
            ("a/x", "{\"a\":[1]}", "a.x", "a", "an array"),
            ("a/b/c", "{\"a\":{\"b\":\"s\"}}", "a.b.c", "a.b", "a string"),
            ("a/b", "{\"a\":null}", "a.b", "a", "null"), ("a", "12", "a", "", "a number"),
            ("0", "[]", "[0]", "", "an array with fewer elements"),
            ("a/b", "{\"a\":true}", "a.b", "a", "a boolean"),
        ]
    )
    func missing(path: String, text: String, keyPath: String, end: String, found: String) {
        #expect(
            failure(path, in: text)
                == .missingNode(keyPath: keyPath, stoppedAt: end, found: found)
        )
    }

    @Test(
        "rejects invalid JSON before and around the node",
        arguments: [
            "", " ", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":\"", "{\"a\":\"\\",
            "{\"a\":\"\\\"}",
            "{\"b\":[1,2,\"a\":1}", "{\"b\":[}],\"a\":1}", "{\"a\":1]", "{\"a\":1}}", "{\"a\":1} x",
            "{a:1}",
            "{\"a\" 1}", "{\"b\":1 \"a\":1}", "{,\"a\":1}", "<html>", "{\"a\":1,\"b\":{",
            "{\"a\":1,\"b\":[\"",
            "{\"b\":t\u{301}\u{316},\"a\":1}",
            "{\"\\ud800\":1,\"a\":1}", "{\"\\x\":1,\"a\":1}", "nope", "\u{0}",
        ]
    )
    func malformed(text: String) {
        guard case .malformedJSON = failure("a", in: text) else {
            Issue.record("\(String(describing: failure("a", in: text))) for \(text)")
            return
        }
    }

    @Test("survives every truncation of a document")
    func truncated() throws {
        let text = #"{"x":[1,{"y":"\u00e9\\"},null],"a":{"b":[true,-1.5e3,"s"]},"z":"\"","w":{}}"#
        #expect(try node("a/b/1", in: text) == "-1.5e3")
        for length in 0..<text.utf8.count {
            let part = String(decoding: Data(text.utf8).prefix(length), as: UTF8.self)
            #expect(throws: ConversionFailure.self) { try node("a/b/1", in: part) }
            #expect(throws: JSONSyntaxError.self) { try JSONText.any(of: Data(part.utf8)) }
        }
    }

    @Test("survives every one-byte change")
    func corrupted() throws {
        let original = Array(#"{"x":[1,{"y":"\u00e9\\"}],"a":{"b":[true,-1.5e3]},"z":"\""}"#.utf8)
        for index in original.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = original
                bytes[index] = byte
                // Either outcome will do: reading beyond the end or a trap would not.
                let node = try? JSONText.slice(of: Data(bytes), at: JSONPath("a/b/1"))
                #expect((node?.count ?? 0) <= bytes.count)
                _ = try? JSONText.any(of: Data(bytes))
            }
        }
    }

    @Test("skips 100,000 brackets without a stack overflow")
    func deep() throws {
        let depth = 100_000
        for (open, close) in [("[", "]"), ("{\"k\":", "}"), ("[{\"k\":", "}]")] {
            let nested =
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            let text = "{\"x\":\(nested),\"a\":2}"
            #expect(try node("a", in: text) == "2")
            #expect(try node("x", in: text) == nested)
            let broken = "{\"x\":\(nested.dropLast())),\"a\":2}"
            #expect(throws: ConversionFailure.self) { try node("a", in: broken) }
            #expect(throws: JSONSyntaxError.self) { try JSONText.any(of: Data(nested.utf8)) }
        }
        let path = String(repeating: "k/", count: 1_000)
        let chain =
            String(repeating: "{\"k\":", count: 1_000) + "5" + String(repeating: "}", count: 1_000)
        #expect(try node(path, in: chain) == "5")
    }

    @Test("reads UTF-16 and byte order marks like JSONDecoder")
    func encodings() throws {
        let text = "{\"a\":[\"é\"]}"
        let encodings: [String.Encoding] = [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32BigEndian, .utf32LittleEndian,
            .utf32,
        ]
        for encoding in encodings {
            let data = try #require(text.data(using: encoding))
            #expect(try JSONText.slice(of: data, at: JSONPath("a/0")) == Data("\"é\"".utf8))
            #expect(try JSONText.value(of: data) == ["a": ["é"]])
        }
        let marked = Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)
        #expect(try JSONText.slice(of: marked, at: JSONPath("a/0")) == Data("\"é\"".utf8))
    }

    @Test("rejects U+0000 in UTF-16 and UTF-32 text")
    func zeros() throws {
        let encodings: [String.Encoding] = [
            .utf16LittleEndian, .utf16BigEndian, .utf32BigEndian, .utf32LittleEndian,
        ]
        let texts = [
            "\u{0}", "[\u{0}1", "[1\u{0}]", "[1,\u{0}", "\u{0}\u{0}{\"a\":1}", "{\u{0}",
        ]
        for encoding in encodings {
            for text in texts {
                let data = try #require(text.data(using: encoding))
                // Of a number the scanner finds the end alone; whether it is one, the decoder finds out.
                let node = try? JSONText.slice(of: data, at: JSONPath("0"))
                #expect(node == (text == "[1\u{0}]" ? Data("1\u{0}".utf8) : nil))
                #expect(throws: JSONSyntaxError.self) { try JSONText.any(of: data) }
                #expect(throws: DecodingFailure.self) {
                    try HTTPResponse.sample(data: data).decoded(to: [Int].self)
                }
            }
            // Whether a string may hold it is for the decoder to say.
            let string = try #require("[\"\u{0}\",2]".data(using: encoding))
            #expect(try JSONText.slice(of: string, at: JSONPath("0")) == Data("\"\u{0}\"".utf8))
            #expect(try JSONText.slice(of: string, at: JSONPath("1")) == Data("2".utf8))
        }
    }

    @Test("accepts one byte order mark, not two")
    func marks() throws {
        let mark = Data([0xEF, 0xBB, 0xBF])
        let text = Data("[1]".utf8)
        #expect(try JSONText.slice(of: mark + text, at: JSONPath("0")) == Data("1".utf8))
        #expect(throws: ConversionFailure.self) {
            try JSONText.slice(of: mark + mark + text, at: JSONPath("0"))
        }
    }

    @Test("survives every one-byte change of UTF-16 and UTF-32")
    func corruptedEncodings() throws {
        let text = #"{"a":[true,"é\u00e9"],"z":1.5e3}"#
        let encodings: [String.Encoding] = [
            .utf16LittleEndian, .utf16BigEndian, .utf32BigEndian, .utf32LittleEndian,
        ]
        for encoding in encodings {
            let original = try #require(text.data(using: encoding))
            for index in original.indices {
                for byte: UInt8 in [0x00, 0x11, 0x22, 0x5B, 0x7D, 0xD8, 0xDC, 0xFE, 0xFF] {
                    var bytes = original
                    bytes[index] = byte
                    // Either outcome will do: reading beyond the end or a trap would not.
                    let node = try? JSONText.slice(of: bytes, at: JSONPath("a/1"))
                    #expect((node?.count ?? 0) <= bytes.count)
                    _ = try? JSONText.any(of: bytes)
                }
            }
        }
    }

    @Test("tracks more open brackets than fit a machine word")
    func brackets() {
        var open = OpenBrackets()
        let kinds = (0..<1_000).map { $0 % 3 == 0 ? OpenBrackets.Kind.brace : .square }
        for kind in kinds { open.push(kind) }
        #expect(open.count == 1_000)
        for kind in kinds.reversed() {
            let other: OpenBrackets.Kind = kind == .brace ? .square : .brace
            let wrong = open.pop(other)
            let right = open.pop(kind)
            #expect(!wrong && right)
        }
        let empty = open.pop(.square)
        #expect(!empty && open.count == 0)
    }
}
