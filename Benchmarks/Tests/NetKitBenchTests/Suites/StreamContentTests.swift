import Foundation
import NIOCore
import Testing

@testable import NetKitBench

@Suite("Content of streams")
struct StreamContentTests {
    @Test("repeats whole elements", arguments: StreamContent.allCases)
    func block(content: StreamContent) {
        let block = content.block
        #expect(block.readableBytes.isMultiple(of: content.bytes.count))
        #expect(block.readableBytes > 1 << 17)
        #expect(block.readableBytesView.prefix(content.bytes.count).elementsEqual(content.bytes))
    }

    @Test("is JSON of the record that clients look for, but for plain lines")
    func record() throws {
        let data = Data(StreamContent.jsonLines.text.utf8)
        #expect(StreamContent.events.text == StreamContent.jsonLines.text)
        #expect(StreamContent.lines.text != StreamContent.jsonLines.text)
        let record = try JSONDecoder().decode(StreamContent.Record.self, from: data)
        #expect(record == .sample)
    }

    @Test("is a million lines that fit what a stream over URLSession keeps")
    func size() {
        let content = StreamContent.lines
        #expect(content.defaultCount * content.bytes.count <= 16 << 20)
    }
}
