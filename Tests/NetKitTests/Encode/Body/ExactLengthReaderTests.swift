import Foundation
import Testing

@testable import NetKit

@Suite("Reader of an exact length")
struct ExactLengthReaderTests {
    private func source(_ text: String, announced length: Int64) throws -> BodySource {
        try ExactLengthReader.source(
            checking: BodySource(length: length) { DataReader(Data(text.utf8)) }
        )
    }

    @Test("reads a body of the announced length", arguments: [1, 3, 4, 64])
    func right(size: Int) throws {
        let source = try source("0123456789", announced: 10)
        #expect(source.length == 10)
        for _ in 0..<2 { #expect(try source.bytes(atATime: size) == Array("0123456789".utf8)) }
    }

    @Test("fails before the last byte of a longer body", arguments: [1, 3, 64])
    func longer(size: Int) throws {
        let reader = try source("0123456789", announced: 9).open()
        defer { reader.close() }
        var buffer = [UInt8](repeating: 0, count: size)
        var count = 0
        let error = #expect(throws: InvalidRequest.self) {
            while let bytes = try reader.next(in: &buffer) { count += bytes.count }
        }
        #expect(count < 9)
        #expect(error?.bodyProblem == .wrongLength(10, announced: 9))
    }

    @Test("fails at the end of a shorter body", arguments: [1, 3, 64])
    func shorter(size: Int) throws {
        let source = try source("0123456789", announced: 11)
        let error = #expect(throws: InvalidRequest.self) { try source.bytes(atATime: size) }
        #expect(error?.bodyProblem == .wrongLength(10, announced: 11))
        #expect("\(try #require(error))".contains("10 bytes, announced as 11"))
    }

    /// A reader that reports more bytes than there was room for, or fewer than none.
    private final class LyingReader: BodyReader {
        let count: Int
        init(count: Int) { self.count = count }
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { count }
        func close() {}
    }

    @Test("trusts no count of a reader", arguments: [Int.max, -1, .min])
    func lies(count: Int) throws {
        let source = try ExactLengthReader.source(
            checking: BodySource(length: 5) { LyingReader(count: count) }
        )
        #expect(throws: InvalidRequest.self) { try source.bytes(atATime: 2) }
    }

    @Test("leaves bytes in memory and files as they are")
    func known() throws {
        #expect(try ExactLengthReader.source(checking: BodySource(Data([1]))).data == Data([1]))
        let file = URL(filePath: #filePath)
        #expect(try ExactLengthReader.source(checking: try file.bodySource()).file == file)
    }
}
