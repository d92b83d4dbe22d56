import NIOCore
import NIOHTTP1
import Testing

@testable import NetKitBench

@Suite("Stream responses")
struct AnswersTests {
    @Test(
        "has the requested number of elements, or is 404",
        arguments: [
            ("/stream/lines/3", 3 * StreamContent.lines.bytes.count),
            ("/stream/events/100000", 100_000 * StreamContent.events.bytes.count),
            ("/stream/lines/0", nil), ("/stream/lines/x", nil), ("/stream/other/3", nil),
            ("/stream/lines/\(Int.max)", nil), ("/stream/lines", nil),
        ]
    )
    func length(path: String, length: Int?) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        let answer = try Answers().answer(to: head, bodyLength: 0)
        #expect(answer.head.status == (length == nil ? .notFound : .ok))
        if let length { #expect(answer.body.length == length) }
    }
}
