import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Concatenated body")
struct ConcatenatedBodyTests {
    /// Counts the readers that are open.
    private final class Reader: BodyReader {
        private let open: Locked<Int>
        private var left: Int

        init(_ open: Locked<Int>, left: Int) {
            self.open = open
            self.left = left
            open.withLock { $0 += 1 }
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(left, buffer.count, 3)
            left -= count
            buffer[..<count].copyBytes(from: [UInt8](repeating: 0x61, count: count))
            return count
        }

        func close() { open.withLock { $0 -= 1 } }
    }

    private func source(_ open: Locked<Int>, length: Int64, holding count: Int) -> BodySource {
        BodySource(length: length) { Reader(open, left: count) }
    }

    @Test("reads its parts in order, with any buffer size", arguments: [1, 2, 7, 100])
    func reading(size: Int) throws {
        let open = Locked(0)
        let parts = [
            BodySource(Data("<".utf8)), source(open, length: 5, holding: 5), BodySource(Data()),
            source(open, length: 4, holding: 9), BodySource(Data(">".utf8)),
        ]
        let body = try #require(ConcatenatedBody.source(of: parts))
        #expect(body.length == 11)
        for _ in 0..<2 {
            let text = String(decoding: try body.bytes(atATime: size), as: UTF8.self)
            #expect(text == "<aaaaaaaaa>")
        }
        #expect(open.withLock { $0 } == 0)
    }

    @Test("fills a buffer across part boundaries")
    func filling() throws {
        let part = BodySource(Data(repeating: 0x61, count: 100))
        let body = try #require(
            ConcatenatedBody.source(of: Array(repeating: part, count: 1_000))
        )
        let reader = try body.open()
        defer { reader.close() }
        var counts: [Int] = []
        try withUnsafeTemporaryAllocation(byteCount: 40_000, alignment: 1) { buffer in
            while case let count = try reader.read(into: buffer), count > 0 {
                counts.append(count)
            }
        }
        #expect(counts == [40_000, 40_000, 20_000])
    }

    @Test("fails on a part shorter than announced, and closes it")
    func tooShort() throws {
        let open = Locked(0)
        let parts = [source(open, length: 5, holding: 3), BodySource(Data("x".utf8))]
        let body = try #require(ConcatenatedBody.source(of: parts))
        let error = #expect(throws: BodyTooShort.self) { try body.bytes() }
        #expect(error == BodyTooShort(missing: 2))
        #expect(open.withLock { $0 } == 0)
    }

    /// Reports one byte more than there was room for.
    private final class LyingReader: BodyReader {
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            buffer.copyBytes(from: [UInt8](repeating: 0x61, count: buffer.count))
            return buffer.count + 1
        }

        func close() {}
    }

    @Test("trusts no count of a reader", arguments: [1, 7, 100])
    func lies(size: Int) throws {
        let parts = [BodySource(length: 5) { LyingReader() }, BodySource(Data(">".utf8))]
        let body = try #require(ConcatenatedBody.source(of: parts))
        let text = String(decoding: try body.bytes(atATime: size), as: UTF8.self)
        #expect(text == "aaaaa>")
    }

    @Test("is in memory when its parts are in memory and small")
    func inMemory() throws {
        let small = [BodySource(Data("a".utf8)), BodySource(Data("b".utf8))]
        #expect(ConcatenatedBody.source(of: small)?.data == Data("ab".utf8))
        let large = [BodySource(Data(count: 1 << 16)), BodySource(Data(count: 1))]
        #expect(ConcatenatedBody.source(of: large)?.data == nil)
        #expect(ConcatenatedBody.source(of: [])?.length == 0)
    }

    @Test("is rejected when its length overflows")
    func tooLong() {
        let open = Locked(0)
        let long = source(open, length: .max, holding: 0)
        #expect(ConcatenatedBody.source(of: [long, BodySource(Data("a".utf8))]) == nil)
    }
}
