import Foundation
import Testing

@testable import NetKit

@Suite("Body source")
struct BodySourceTests {
    @Test("returns the same bytes each time it is opened", arguments: [1, 3, 64])
    func bytes(size: Int) throws {
        let source = BodySource(Data("0123456789".utf8))
        #expect(source.length == 10)
        for _ in 0..<2 { #expect(try source.bytes(atATime: size) == Array("0123456789".utf8)) }
        #expect(try BodySource(Data()).bytes().isEmpty)
    }

    @Test("reads a slice from its own start")
    func slice() throws {
        let data = Data("0123456789".utf8).dropFirst(3).prefix(4)
        let source = BodySource(data)
        #expect(source.length == 4)
        #expect(try source.bytes() == Array("3456".utf8))
    }

    @Test("has no negative length")
    func negative() {
        #expect(BodySource(length: -1) { DataReader(Data()) }.length == 0)
    }

    @Test("reads nothing into no room, at any place")
    func noRoom() throws {
        let text = Data("0123456789".utf8)
        let sources = [
            BodySource(text),
            StreamResource(length: 10) { InputStream(data: text) }.bodySource(),
            BodySource(length: 10) {
                try StreamReader(StreamResource(length: 10) { InputStream(data: text) })
            },
            try #require(
                ConcatenatedBody.source(of: [
                    BodySource(text.prefix(3)), BodySource(text.suffix(7)),
                ])
            ),
        ]
        for source in sources {
            let reader = try source.open()
            defer { reader.close() }
            var bytes: [UInt8] = []
            for _ in 0..<10 {
                #expect(
                    try reader.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == 0
                )
                var byte: [UInt8] = [0]
                #expect(try byte.withUnsafeMutableBytes { try reader.read(into: $0) } == 1)
                bytes += byte
            }
            #expect(Data(bytes) == text)
        }
    }

    @Test("supports independent readers")
    func independent() throws {
        let source = BodySource(Data("ab".utf8))
        let (first, second) = (try source.open(), try source.open())
        var byte: [UInt8] = [0]
        for reader in [first, second, first, second] {
            #expect(try byte.withUnsafeMutableBytes { try reader.read(into: $0) } == 1)
        }
        #expect(byte == [UInt8(ascii: "b")])
    }
}
