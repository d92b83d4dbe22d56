import Foundation
import NIOCore
import Testing

@testable import NetKitBench

@Suite("Stream content")
struct StreamContentTests {
    @Test("repeats complete elements", arguments: StreamContent.allCases)
    func block(content: StreamContent) {
        let block = content.block
        #expect(block.readableBytes.isMultiple(of: content.bytes.count))
        #expect(block.readableBytes > 1 << 17)
        #expect(block.readableBytesView.prefix(content.bytes.count).elementsEqual(content.bytes))
    }

    @Test("matches the record that clients decode, except for plain lines")
    func record() throws {
        let data = Data(StreamContent.jsonLines.text.utf8)
        #expect(StreamContent.events.text == StreamContent.jsonLines.text)
        #expect(StreamContent.lines.text != StreamContent.jsonLines.text)
        let record = try JSONDecoder().decode(StreamContent.Record.self, from: data)
        #expect(record == .sample)
    }

    @Test("has a million lines that fit the buffer of a stream over URLSession")
    func size() {
        let content = StreamContent.lines
        #expect(content.defaultCount * content.bytes.count <= 16 << 20)
    }
}
