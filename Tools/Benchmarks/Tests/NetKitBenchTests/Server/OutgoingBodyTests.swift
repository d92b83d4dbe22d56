import NIOCore
import Testing

@testable import NetKitBench

@Suite("Outgoing body")
struct OutgoingBodyTests {
    @Test(
        "repeats its block up to its length",
        arguments: [(0, []), (2, [2]), (4, [4]), (10, [4, 4, 2])]
    )
    func repeats(length: Int, pieces: [Int]) {
        var body = OutgoingBody(repeating: ByteBuffer(string: "abcd"), length: length)
        #expect(body.length == length)
        var sent: [Int] = []
        while let piece = body.next() { sent.append(piece.readableBytes) }
        #expect(sent == pieces)
    }

    @Test("is one block by default")
    func once() {
        var body = OutgoingBody(ByteBuffer(string: "abcd"))
        #expect(body.next() == ByteBuffer(string: "abcd"))
        #expect(body.next() == nil)
    }
}
