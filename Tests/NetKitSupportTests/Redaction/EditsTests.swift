import Testing

@testable import NetKitSupport

@Suite("Edits")
struct EditsTests {
    private func edited(_ edits: (range: Range<Int>, text: String)...) -> String {
        var result = Edits(Array("0123456789".utf8)[...])
        for edit in edits { result.replace(edit.range, with: edit.text.utf8) }
        return String(decoding: result.edited, as: UTF8.self)
    }

    @Test("replace ranges from front to back, and keep the rest")
    func order() {
        #expect(edited() == "0123456789")
        #expect(edited((2..<4, "ab"), (4..<5, ""), (8..<10, "c")) == "01ab567c")
        #expect(edited((0..<10, "x")) == "x")
    }

    @Test("cut what an earlier one replaced, and drop what is all replaced")
    func overlaps() {
        #expect(edited((2..<4, "a"), (3..<6, "b")) == "01ab6789")
        #expect(edited((2..<6, "a"), (3..<6, "b")) == "01a6789")
        #expect(edited((2..<6, "a"), (3..<5, "b"), (1..<2, "c")) == "01a6789")
    }

    @Test("insert at an empty range that isn't replaced yet")
    func insertion() {
        #expect(edited((2..<4, "a"), (4..<4, "b"), (6..<6, "c")) == "01ab45c6789")
        #expect(edited((2..<4, "a"), (3..<3, "b")) == "01a456789")
    }
}
