import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Combining marks")
struct CombiningMarksTests {
    private static let marks = ["\u{301}", "\u{20D0}", "\u{1D165}", #"\u0301"#, #"\uD834\udd65"#]

    private func excess(_ text: String) -> JSONSyntaxError.Reason? {
        Array(text.utf8).withUnsafeBufferPointer { CombiningMarks.excess(in: $0)?.reason }
    }

    @Test("may be 256 in a row, wherever they are", arguments: marks)
    func limit(mark: String) {
        let most = String(repeating: mark, count: CombiningMarks.maximum)
        for offset in stride(from: 0, to: 1_100, by: 7) {
            let start = "\"" + String(repeating: "a", count: offset)
            #expect(excess("\(start)\(most)b\(most)\"") == nil)
            #expect(excess("\(start)\(most)\(mark)\"") == .tooManyMarks)
        }
    }

    @Test("count in a row behind backslashes, as in a quoted string", arguments: marks.prefix(3))
    func quoted(mark: String) {
        for offset in 0..<9 {
            let start = String(repeating: "a", count: 500 + offset)
            #expect(excess(start + String(repeating: "\\\(mark)", count: 257)) == .tooManyMarks)
            #expect(excess(start + String(repeating: "\\\(mark)", count: 256)) == nil)
        }
    }

    @Test("count in a row of different ones, raw and escaped")
    func mixed() {
        #expect(excess(String(repeating: Self.marks.joined(), count: 60)) == .tooManyMarks)
        #expect(excess(String(repeating: Self.marks.joined() + "a", count: 60)) == nil)
    }

    @Test(
        "are told from other characters",
        arguments: [
            "漢", "é", "😂", "\u{FFFD}", #"\u6f22"#, #"\ud83d\ude02"#, #"\ud834"#, #"\u\u0301"#,
            #"\\u0301"#, "u0301", "\\",
        ]
    )
    func others(text: String) {
        #expect(excess(String(repeating: text, count: 2_000)) == nil)
    }

    @Test("are refused in names and strings before Swift sorts them", arguments: [false, true])
    func readers(isEscaped: Bool) throws {
        // Swift would take minutes to sort the marks of a name like this.
        let long = "a" + Self.unsorted(isEscaped: isEscaped)
        let name = Data("{\"\(long)\":1,\"name\":2}".utf8)
        let value = Data("{\"name\":\"\(long)\"}".utf8)
        for text in [name, value] {
            let reason = #expect(throws: JSONSyntaxError.self) { try JSONText.value(of: text) }
            #expect(reason?.reason == .tooManyMarks)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decodeBounded([String: JSONValue].self, from: text)
            }
        }
        for encoding in [String.Encoding.utf16LittleEndian, .utf32BigEndian] {
            let text = try #require("\"\(Self.unsorted())\"".data(using: encoding))
            #expect(throws: JSONSyntaxError.self) { try JSONText.value(of: text) }
        }
        #expect(JSONText.kind(of: name, at: JSONPath("ä")) == nil)
        #expect(JSONText.kind(of: value, at: JSONPath("name")) == .string)
    }

    @Test(
        "hide the title of a page, and the words of a text",
        arguments: ["text/html", "text/plain"]
    )
    func pages(type: String) throws {
        // Swift would compare them with each entity.
        let title = "<title>abcd\(Self.unsorted().prefix(30_000))</title>"
        #expect(Markup.title(of: title) == nil)
        for body in [title, "abcd\(Self.unsorted())"] {
            let response = HTTPResponse(
                to: EncodedRequest(url: URL(filePath: "/"), method: .get),
                status: .serviceUnavailable,
                headers: [.contentType: type],
                body: Data(body.utf8)
            )
            #expect(ServerWords.line(in: response, readsAnyText: true) == nil)
            #expect(ServerWords.page(in: response) == nil)
        }
    }

    /// Marks of two classes, the higher one first.
    static func unsorted(isEscaped: Bool = false) -> String {
        let marks = isEscaped ? [#"\u0301"#, #"\u0316"#] : ["\u{301}", "\u{316}"]
        return marks.map { String(repeating: $0, count: 200_000) }.joined()
    }

    @Test("end a response that has them in a field")
    func fields() async throws {
        let transport = ScriptedTransport([
            .head(ResponseHead(status: .ok, headers: ["X-A": Self.unsorted()])), .finished(nil),
        ])
        let url = try #require(URL(string: "https://h.invalid"))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.get("a", as: String.self)
            Issue.record("no failure")
        } catch {
            guard case .transport(let error) = error else { throw error }
            #expect(error.kind == .malformedResponse)
        }
    }

    @Test("in a link or a part of a body are compared by their bytes, or hidden")
    func elsewhere() throws {
        let encoded = Self.unsorted().utf8.map { "%" + String($0, radix: 16) }.joined()
        let link = "?a\(encoded)=1&b=2"
        let query = TargetQuery(defaults: [("b", "0"), ("c", "3")])
        var bytes: [UInt8] = []
        query.append(after: nil, path: link.dropFirst(), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self).lowercased() == "?c=3&" + link.dropFirst())
        let part =
            "X\(Self.unsorted()): v\r\nContent-Type: text/plain;"
            + "charset=u\(Self.unsorted())\r\n\r\ns3cret"
        let body = "--x\r\n\(part)\r\n--x--\r\n"
        let shown = Redaction(bodyFields: ["pin"], showsFields: true)
            .shown(body: Data(body.utf8), type: "multipart/mixed; boundary=x")
        #expect(!String(decoding: shown, as: UTF8.self).contains("s3cret"))
    }

    @Test("hide a name from what compares it with the names of secrets")
    func redaction() {
        let body = Data("{\"a\(Self.unsorted())\":\"s3cret\"}".utf8)
        let shown = Redaction(bodyFields: ["pin"], showsFields: true)
            .shown(body: body, type: "application/json")
        #expect(!String(decoding: shown, as: UTF8.self).contains("s3cret"))
    }

    @Test("end a stream of events that has them in a line")
    func events() throws {
        var parser = EventParser()
        let name = "data" + Self.unsorted()
        parser.add(Data("\(name): 1\ndata: 2\n\n".utf8))
        #expect(throws: RefusedLine.tooManyMarks) { try parser.next() }
    }
}
