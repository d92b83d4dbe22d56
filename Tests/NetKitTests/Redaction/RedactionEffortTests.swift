import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

/// The work is counted, in bytes that are looked at: no clock says anything about it.
@Suite("Redaction cost")
struct RedactionEffortTests {
    struct Family: CustomTestStringConvertible, Sendable {
        let name: String
        let type: String
        let make: @Sendable (Int) -> String
        var testDescription: String { name }
    }

    private static let redaction = Redaction(showsFields: true)

    static func repeated(_ piece: String, _ type: String) -> Family {
        Family(name: "\(piece) as \(type)", type: type) { count in
            String(repeating: piece, count: max(1, count / piece.utf8.count))
        }
    }

    /// A field of a form in which a piece is repeated.
    static func field(_ piece: String) -> Family {
        Family(name: "\(piece) in a field", type: "multipart/form-data; boundary=B") { count in
            "--B\nContent-Disposition: form-data; name=a\n\n"
                + String(repeating: piece, count: max(1, count / piece.utf8.count))
        }
    }

    private static let families: [Family] =
        [
            "http://?=", "a=", "a:", "token:", "token=", "\"token\":", ":", "=", "@", "a:b@", "<",
            ">",
            "<a>", "<token>", "</a>", "<!--", "<a b=", "[", "{", "{\"a\":", "[{}]\n", "[\n", "%3D",
            "%253D", "\\", "\\\"", "&", "?", "/", "//", "://", ";a=", "\"", "a ", "token ", "\n",
            "--B\n", "-", "é=", "é:", "tokens=1 ", "tokens='1", "<a token='", "]]>", "<![CDATA[",
        ]
        .map { field($0) }
        + [
            repeated(#""token":"x","#, "application/json"), repeated("[", "application/json"),
            repeated(#"{"name":"token","value":"#, "application/json"),
            repeated(#""\u0061=","#, "application/json"),
            repeated("a=http://?", "application/x-www-form-urlencoded"),
            repeated("token=x&", "application/x-www-form-urlencoded"),
            repeated("--B\r\n\r\n", "multipart/mixed; boundary=B"),
            repeated("--B\r\nA: --\r\n\r\n", "multipart/mixed; boundary=B"),
            repeated("-", "multipart/mixed; boundary=\(String(repeating: "-", count: 70))"),
            field("a http://?="), field("http://h/?a=b:@ "),
            Family(name: "JSON", type: "application/json") { count in
                "[" + String(repeating: #"{"token":"x","a":"b","value":1},"#, count: count / 32)
                    + "1]"
            },
            Family(name: "JSON in strings", type: "application/json") { count in
                var text = String(repeating: "a=b ", count: count / 8)
                for _ in 0..<7 {
                    let escaped = JSONEscapes.escaped(Array(text.utf8))
                    text = #"["\#(String(decoding: escaped, as: UTF8.self))"]"#
                }
                return text
            },
            Family(name: "multipart in multipart", type: "multipart/mixed; boundary=B0") { count in
                (0..<count / 60)
                    .map { level in
                        "--B\(level)\r\nContent-Type: multipart/mixed; boundary=B\(level + 1)\r\n\r\n"
                    }
                    .joined()
            },
        ]

    @Test("grows linearly with the length, for any text", arguments: families)
    func linear(family: Family) {
        func steps(_ count: Int) -> (steps: Int, length: Int) {
            let text = Data(family.make(count).utf8)
            return (
                RedactedBody(text, type: family.type, by: Self.redaction.rules).steps, text.count
            )
        }
        let (few, many) = (steps(4_000), steps(32_000))
        // No byte is looked at more often than so, and a longer text's no more often than a shorter one's.
        #expect(many.steps <= 48 * many.length + 1_000)
        #expect(many.steps * few.length <= 2 * few.steps * many.length)
    }

    @Test("is limited to the beginning when only that is shown")
    func bounded() {
        for count in [100_000, 3_000_000] {
            let text = Data(String(repeating: #"{"token":"x"}"#, count: count / 13).utf8)
            let body = RedactedBody(
                text,
                type: "application/json",
                by: Self.redaction.rules,
                limit: 4_096
            )
            #expect(body.steps < 100_000)
            #expect(body.isCut && (body.data?.count ?? 0) > 4_096)
        }
        let one = Data("[1]".utf8)
        let small = RedactedBody(one, type: "application/json", by: Self.redaction.rules, limit: 9)
        #expect(!small.isCut)
        for (text, redaction) in [("", Redaction.secrets), ("[1]", .none)] {
            let body = RedactedBody(Data(text.utf8), type: nil, by: redaction.rules, limit: 1)
            #expect(!body.isCut && body.steps == 0)
            #expect(body.data == Data(text.utf8))
        }
    }

    @Test("is limited to the beginning in logs")
    func outputs() {
        // Nothing would be shown of it if all of it were read: it has one bracket too many.
        let text = #"{"a":"\#(String(repeating: "b", count: 20_000))","token":"x"}}"#
        let (body, type) = (Data(text.utf8), "application/json")
        #expect(RedactedBody(body, type: type, by: Self.redaction.rules).data == nil)
        let lines = ExchangeText.body(body, type, Self.redaction)
        #expect(lines == ["\(text.prefix(ExchangeText.longestBody))… (\(body.count) bytes)"])
    }

    @Test("redacts a whole token that starts before the limit")
    func limit() {
        func shown(_ text: String, _ limit: Int) -> String {
            let body = RedactedBody(
                Data(text.utf8),
                type: "application/json",
                by: Self.redaction.rules,
                limit: limit
            )
            return String(decoding: body.data ?? Data(), as: UTF8.self)
        }
        let start = #"{"a":"\#(String(repeating: "b", count: 4_000))","#
        for limit in 4_000...4_040 {
            #expect(!shown("\(start)\"token\":\"SECRET SECRET\"}", limit).contains("SEC"))
            #expect(!shown("\(start)\"b\":\"https://me:SECRET@h/\"}", limit).contains("SEC"))
        }
        // Wherever it is cut is the middle of one.
        for limit in 5_000...5_003 {
            let text = shown("[\"\(String(repeating: "ä", count: 9_000))\"]", limit)
            #expect(!text.isEmpty && !text.contains("\u{FFFD}"))
        }
    }
}
