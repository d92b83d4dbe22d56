import Foundation
import Testing

@testable import NetKit

@Suite("Words of servers")
struct ServerWordsTests {
    private static let keys = [
        "msg", "message", "Message", "error_description", "errorMessage", "error", "err", "reason",
        "detail", "title", "errorMessages", "errors",
    ]

    @Test("are found under every key, and under the first of several")
    func keys() {
        for (index, key) in Self.keys.enumerated() {
            #expect(ServerMessage.words(in: .object([key: .string("a")])) == "a")
            for later in Self.keys.dropFirst(index + 1) {
                let both = JSONValue.object([key: .string("a"), later: .string("b")])
                #expect(ServerMessage.words(in: both) == "a")
                let empty = JSONValue.object([key: .string(""), later: .string("b")])
                #expect(ServerMessage.words(in: empty) == "b")
            }
        }
        #expect(ServerMessage.words(in: .object(["other": .string("a")])) == nil)
    }

    @Test("are not searched in JSON of more than 512 KiB, nor quoted from it")
    func longJSON() throws {
        for (length, words) in [(500 << 10, "Boom" as String?), (600 << 10, nil)] {
            let text = String(repeating: "x", count: length)
            let body = #"{"message":"Boom","x":"\#(text)"}"#
            let response = try HTTPResponse.sample(body, status: 500)
            #expect(ServerWords.line(in: response, readsAnyText: true) == words)
        }
    }

    @Test("are a page's title, with its entities resolved once")
    func entities() {
        let title = "a &lt;b&gt; &quot;c&quot; &#39;d&apos; e&nbsp;f &amp; &amp;lt;"
        let page = "<!DOCTYPE html><html><TITLE lang='x'>\(title)</title></html>"
        #expect(ServerWords.line(of: page) == "a <b> \"c\" 'd' e f & &lt;")
    }

    @Test(
        "are the title of a page, whatever it begins with",
        arguments: [
            ("text/html", "t"), ("application/xhtml+xml; charset=utf-8", "t"), ("Text/HTML", "t"),
            ("text/plain", "a <title>t</title>"), ("application/pdf", nil),
        ] as [(String, String?)]
    )
    func pages(type: String, line: String?) throws {
        let response = try HTTPResponse.sample("a <title>t</title>", status: 500, type: type)
        #expect(ServerWords.line(in: response, readsAnyText: false) == line)
    }

    @Test(
        "are plain text unless it begins with a tag",
        arguments: [
            ("a <b>", "a <b>"), ("<5 items", "<5 items"), ("<", "<"), ("< title>", "< title>"),
            (" \n<?xml?><title>t</title>", "t"), ("<!-- --><title>t</title>", "t"),
            ("</x><title>t</title>", "t"), ("\u{FEFF}<x><title>t</title>", "t"), ("<x>", nil),
            ("<x><titles>a</titles>", nil), ("", nil), (" \n ", nil),
        ] as [(String, String?)]
    )
    func markup(text: String, line: String?) {
        #expect(ServerWords.line(of: text) == line)
    }
}
