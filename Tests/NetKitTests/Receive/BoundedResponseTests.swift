import Foundation
import Testing

@testable import NetKit

@Suite("Response collector")
struct BoundedResponseTests {
    @Test("accepts bytes up to the limit, and not one more")
    func limit() {
        var collector = BoundedResponse(limit: 5)
        #expect(collector.receive(Data("abc".utf8)) == true)
        #expect(collector.receive(Data("de".utf8)) == true)
        #expect(collector.receive(Data("f".utf8)) == false)
        #expect(collector.body == Data("abcde".utf8))
    }

    @Test(
        "trusts an announced length only without compression",
        arguments: [
            (["Content-Length": "12"], 12), (["Content-Length": "x"], nil), ([:], nil),
            (["Content-Length": "-3"], nil),
            (["Content-Length": "12", "Content-Encoding": "gzip"], nil),
        ] as [([String: String], Int64?)]
    )
    func expectedLength(fields: [String: String], expected: Int64?) {
        var head = ResponseHead(status: 200)
        for (name, value) in fields { head.headers[HTTPHeaderName(name)] = value }
        var collector = BoundedResponse(limit: 100)
        collector.receive(head)
        #expect(collector.expectedLength == expected)
    }

    @Test("doesn't reserve memory by an announced length")
    func liar() {
        var head = ResponseHead(status: 200)
        head.headers[.contentLength] = "9000000000000000000"
        var collector = BoundedResponse(limit: .max)
        collector.receive(head)
        #expect(collector.receive(Data("abc".utf8)) == true)
        #expect(collector.body.count == 3)
    }
}
