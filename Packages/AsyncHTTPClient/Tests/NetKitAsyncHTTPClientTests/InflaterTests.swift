import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Decompression over AsyncHTTPClient")
struct InflaterTests {
    /// `hello`, in gzip's and in zlib's format.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10,
        0x36, 5, 0, 0, 0,
    ]
    private static let zlib: [UInt8] = [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 6, 0x2C, 2, 0x15,
    ]
    private static let damagedBytes: [([UInt8], BrokenCompression)] = [
        ([UInt8]("no gzip at all".utf8), .invalid), (gzip.dropLast() + [1], .invalid),
        (gzip + [0], .trailingData), (gzip + gzip, .trailingData),
    ]

    private static func pieces(_ inflater: Inflater) throws -> [Data] {
        var pieces: [Data] = []
        while let piece = try inflater.next() { pieces.append(piece) }
        return pieces
    }

    @Test("reads gzip and zlib, however the bytes arrive", arguments: [gzip, zlib])
    func formats(bytes: [UInt8]) throws {
        let whole = try Inflater()
        whole.append(ByteBuffer(bytes: bytes))
        #expect(try Self.pieces(whole) == [Data("hello".utf8)])
        #expect(whole.isComplete)
        let slow = try Inflater()
        var text = Data()
        for byte in bytes {
            #expect(!slow.isComplete)
            slow.append(ByteBuffer(bytes: [byte]))
            text += try Self.pieces(slow).reduce(Data(), +)
        }
        #expect(text == Data("hello".utf8))
        #expect(slow.isComplete)
    }

    @Test("gives a bomb in pieces of at most 64 KiB, and reads no further than the piece")
    func bomb() throws {
        let count = 10_000_000
        let bomb = ByteBuffer(bytes: Bomb.gzip(count))
        let inflater = try Inflater()
        inflater.append(bomb)
        var sizes: [Int] = []
        while let piece = try inflater.next() {
            sizes.append(piece.count)
            // zlib may look ahead by a few bytes.
            let read = bomb.readableBytes - inflater.unreadBytes
            #expect(read <= sizes.reduce(0, +) / Bomb.ratio + 64)
        }
        #expect(sizes.allSatisfy { (1...Inflater.pieceSize).contains($0) })
        #expect(sizes.reduce(0, +) == count)
        #expect(inflater.isComplete)
    }

    @Test("is left to the exchange, which can wait for its reader between two pieces")
    func engine() {
        let client = AsyncHTTPClientTransport.Configuration().client()
        #expect("\(client.decompression)" == "disabled")
    }

    @Test(
        "fails for data that is damaged, or goes on behind its end",
        arguments: damagedBytes
    )
    func damaged(bytes: [UInt8], error: BrokenCompression) throws {
        let inflater = try Inflater()
        inflater.append(ByteBuffer(bytes: bytes))
        #expect(throws: error) { _ = try Self.pieces(inflater) }
    }

    @Test(
        "applies to the codings gzip and deflate alone, without another one",
        arguments: [
            ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate", true), (", gzip,", true),
            ("br", false), ("gzip, br", false), ("br, gzip", false), ("gzip, gzip", false),
            ("", false), ("gzip, identity", true), ("identity", false),
        ]
    )
    func codings(coding: String, applies: Bool) throws {
        let head = HTTPResponseHead(
            version: .http1_1,
            status: .ok,
            headers: ["Content-Encoding": coding]
        )
        #expect(try (Inflater.make(for: head) != nil) == applies)
    }
}
