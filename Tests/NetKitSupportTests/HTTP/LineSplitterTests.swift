import Foundation
import Testing

@testable import NetKitSupport

@Suite("Stream lines")
struct LineSplitterTests {
    private func lines(
        _ text: String,
        atATime size: Int,
        endsAtCarriageReturn: Bool = false,
        limit: Int = 100
    ) throws -> [String] {
        var splitter = LineSplitter(limit: limit, endsAtCarriageReturn: endsAtCarriageReturn)
        var lines: [String] = []
        var rest = Data(text.utf8)
        while !rest.isEmpty {
            splitter.add(Data(rest.prefix(size)))
            rest = Data(rest.dropFirst(size))
            while let line = try splitter.next() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
        }
        if let last = try splitter.rest() { lines.append(String(decoding: last, as: UTF8.self)) }
        return lines
    }

    @Test("ends a line at LF or CRLF, however the bytes arrive", arguments: [1, 2, 3, 7, 1000])
    func ends(size: Int) throws {
        #expect(
            try lines("a\nb\r\n\r\nc\rd\n\ne", atATime: size) == ["a", "b", "", "c\rd", "", "e"]
        )
        #expect(try lines("é😀\r\n", atATime: size) == ["é😀"])
        #expect(try lines("", atATime: size) == [])
        #expect(try lines("\n\r\na", atATime: size) == ["", "", "a"])
    }

    @Test("ends a line at a lone CR in event streams too", arguments: [1, 2, 3, 7, 1000])
    func carriageReturns(size: Int) throws {
        #expect(
            try lines("a\rb\r\n\r\rc\n\nd", atATime: size, endsAtCarriageReturn: true)
                == ["a", "b", "", "", "c", "", "d"]
        )
    }

    @Test("limits the length of a line", arguments: [1, 4, 1000])
    func limit(size: Int) throws {
        #expect(try lines("12345\r\n12345", atATime: size, limit: 5) == ["12345", "12345"])
        #expect(throws: RefusedLine.self) { try lines("123456\n", atATime: size, limit: 5) }
        for text in ["12345678", "123456", "12345\r"] {
            #expect(throws: RefusedLine.self) { try lines(text, atATime: size, limit: 5) }
        }
    }

    @Test("refuses a line with too many combining marks, which Swift takes minutes to compare")
    func marks() throws {
        let marks = String(repeating: "\u{301}", count: 300)
        #expect(throws: RefusedLine.self) { try lines("a\(marks)\n", atATime: 1000, limit: 1000) }
        #expect(throws: RefusedLine.self) { try lines("a\(marks)", atATime: 1000, limit: 1000) }
        let few = String(repeating: "\u{301}", count: 250)
        #expect(try lines("a\(few)\n\(few)", atATime: 1000, limit: 1000).count == 2)
    }

    @Test("has no rest behind a line ending, and the rest only once")
    func rest() throws {
        var splitter = LineSplitter(limit: 10, endsAtCarriageReturn: false)
        var rests = [try splitter.rest()]
        splitter.add(Data("a\nb".utf8))
        _ = try splitter.next()
        rests.append(try splitter.rest())
        rests.append(try splitter.rest())
        splitter.add(Data("c\n".utf8))
        let line = try splitter.next().map { Array($0) }
        #expect(line == Array("c".utf8))
        rests.append(try splitter.rest())
        #expect(rests.map { $0.map { Array($0) } } == [nil, Array("b".utf8), nil, nil])
    }
}
