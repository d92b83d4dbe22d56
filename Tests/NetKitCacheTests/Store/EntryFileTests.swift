import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitSupport

@Suite("Cache entry file")
struct EntryFileTests {
    private static let body = Data("The body of a small entry.".utf8)

    private static func metadata(_ head: StoredHead) throws -> [UInt8] {
        try #require(EntryMetadata.bytes(of: head))
    }

    private static func head(_ metadata: [UInt8]) -> StoredHead? {
        metadata.withUnsafeBytes { EntryMetadata.head(in: $0) }
    }

    @Test("keeps every detail of a head")
    func metadata() throws {
        let head = CacheSamples.full()
        let again = try #require(Self.head(try Self.metadata(head)))
        #expect(again == head)
        #expect(again.headers.map(\.name.rawName) == head.headers.map(\.name.rawName))
        #expect(again.headers.map(\.value) == head.headers.map(\.value))
        #expect(again.headers.isSensitive("X-Secret") && !again.headers.isSensitive("ETag"))
        #expect(again.headers.values(for: "x-secret") == ["s", "t"])
    }

    @Test("has no head with a missing or extra byte")
    func cutMetadata() throws {
        let metadata = try Self.metadata(CacheSamples.full())
        for count in metadata.indices {
            #expect(Self.head(Array(metadata.prefix(count))) == nil)
        }
        #expect(Self.head(metadata + [0]) == nil)
    }

    @Test("rejects a head that is too long or has no date")
    func limits() throws {
        var head = CacheSamples.head()
        head.headers.set("X", to: String(repeating: "x", count: 1 << 20))
        #expect(EntryMetadata.bytes(of: head) == nil)
        head.headers = HTTPHeaders((0..<1024).map { (HTTPHeaderName("X-\($0)"), "1") })
        #expect(Self.head(try Self.metadata(head)) == head)
        head.headers.append("1", for: "X-More")
        #expect(EntryMetadata.bytes(of: head) == nil)
        for seconds in [Double.nan, .infinity, -.infinity, 1e12] {
            let head = StoredHead(
                key: CacheSamples.key(),
                selectors: [],
                status: 200,
                headers: [:],
                requestDate: CacheSamples.date,
                responseDate: Date(timeIntervalSinceReferenceDate: seconds)
            )
            #expect(EntryMetadata.bytes(of: head) == nil)
        }
    }

    /// The bytes of a file, and what they are read as.
    private func file(_ bytes: [UInt8]) throws -> EntryFile? {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKitTests-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let (descriptor, length) = try RegularFile.open(url.path, followsLinks: false)
        defer { close(descriptor) }
        return EntryFile(descriptor, length: length)
    }

    private func bytes(_ head: StoredHead, _ body: Data) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendNumber(EntryTrailer.opening)
        bytes += body
        let digest = Array(body).withUnsafeBytes { XXH64.digest(of: $0) }
        return try bytes
            + EntryTrailer.end(
                of: Self.metadata(head),
                bodyLength: Int64(body.count),
                bodyDigest: digest
            )
    }

    @Test("reads parts of any length", arguments: [0, 1, 5000, 200_000, 400_000])
    func sizes(headLength: Int) throws {
        var head = CacheSamples.head()
        head.headers.set("X", to: String(repeating: "x", count: headLength))
        for length in [0, 1, 4096, 262_143, 262_144, 262_145, 400_000] {
            let body = CacheSamples.body("a", count: length)
            let file = try #require(try file(bytes(head, body)))
            #expect(file.head == head)
            #expect(file.body == (length <= 262_144 ? body : nil))
            #expect(file.trailer.bodyLength == Int64(length))
        }
    }

    @Test("is invalid with any changed byte")
    func flips() throws {
        let whole = try bytes(CacheSamples.head(), Self.body)
        #expect(try file(whole)?.body == Self.body)
        for index in whole.indices {
            for bit in [0, 3, 7] {
                var bytes = whole
                bytes[index] ^= 1 << bit
                #expect(try file(bytes) == nil, "byte \(index)")
            }
        }
    }

    @Test("is invalid when truncated or extended")
    func cuts() throws {
        let whole = try bytes(CacheSamples.head(), Self.body)
        for count in whole.indices { #expect(try file(Array(whole.prefix(count))) == nil) }
        for more in 1...64 {
            #expect(try file(whole + [UInt8](repeating: 0, count: more)) == nil)
        }
        // Two files in one.
        #expect(try file(whole + whole) == nil)
    }

    @Test("is invalid when its lengths don't add up, however large")
    func lengths() throws {
        let whole = try bytes(CacheSamples.head(), Self.body)
        let trailer = whole.count - EntryTrailer.length
        for length in [UInt64.max, 1 << 63, UInt64(Int64.max), UInt64(Int64.max) - 39, 0, 1 << 20] {
            for offset in [0, 8] {
                var bytes = whole
                var number: [UInt8] = []
                number.appendNumber(length)
                bytes.replaceSubrange(trailer + offset..<trailer + offset + 8, with: number)
                #expect(try file(bytes) == nil)
            }
        }
    }

    @Test("has at most 1 MiB of metadata")
    func largestMetadata() throws {
        var head = CacheSamples.head()
        head.headers["X"] = ""
        let room = (1 << 20) - (try Self.metadata(head)).count
        head.headers["X"] = String(repeating: "x", count: room)
        let metadata = try Self.metadata(head)
        #expect(metadata.count == 1 << 20 && Self.head(metadata) == head)
        head.headers["X"] = String(repeating: "x", count: room + 1)
        #expect(EntryMetadata.bytes(of: head) == nil)
        for (length, isValid) in [(1 << 20, true), (1 << 20 + 1, false)] {
            let end = EntryTrailer.end(
                of: [UInt8](repeating: 0, count: length),
                bodyLength: 3,
                bodyDigest: 4
            )
            let fileLength = Int64(EntryTrailer.openingLength + 3 + end.count)
            let trailer = end.withUnsafeBytes { EntryTrailer(endOf: $0, fileLength: fileLength) }
            #expect((trailer != nil) == isValid)
        }
    }

    @Test("rejects a field that is neither marked nor unmarked", arguments: UInt8.min ... .max)
    func marks(mark: UInt8) throws {
        // The mark of the last field is the last byte.
        var metadata = try Self.metadata(CacheSamples.head())
        metadata[metadata.count - 1] = mark
        #expect((Self.head(metadata) != nil) == (mark <= 1))
    }

    @Test("reads a text up to the last byte, and none beyond")
    func texts() {
        for text in ["", "a", "é€"] {
            var bytes: [UInt8] = []
            bytes.appendNumber(UInt32(text.utf8.count))
            bytes += text.utf8
            bytes.withUnsafeBytes {
                var reader = EntryMetadataReader($0)
                #expect(reader.text() == text)
                #expect(reader.isAtEnd && reader.text() == nil)
            }
            bytes.dropLast()
                .withUnsafeBytes {
                    var reader = EntryMetadataReader($0)
                    #expect(reader.text() == nil)
                }
        }
    }

    @Test("digests the metadata, both lengths and the body's digest in the trailer")
    func trailerDigest() {
        let metadata: [UInt8] = [1, 2, 3]
        let end = EntryTrailer.end(of: metadata, bodyLength: 4, bodyDigest: 5)
        var covered = metadata
        for number: UInt64 in [4, 3, 5] { covered.appendNumber(number) }
        var hash = XXH64()
        covered.withUnsafeBytes { hash.add($0) }
        var expected: [UInt8] = []
        expected.appendNumber(hash.digest)
        #expect(Array(end.dropFirst(metadata.count + 24).prefix(8)) == expected)
    }

    @Test("needs all bytes of a trailer, and ignores those before it")
    func trailer() throws {
        let whole = try bytes(CacheSamples.head(), Self.body)
        func trailer(of count: Int) -> EntryTrailer? {
            whole.suffix(count)
                .withUnsafeBytes { EntryTrailer(endOf: $0, fileLength: Int64(whole.count)) }
        }
        #expect(trailer(of: EntryTrailer.length)?.bodyLength == Int64(Self.body.count))
        #expect(trailer(of: EntryTrailer.length + 1) != nil)
        #expect(trailer(of: EntryTrailer.length - 1) == nil)
        #expect(trailer(of: 0) == nil)
    }

    @Test("keeps dates up to 3,000 years from now, and rejects later ones")
    func latestDates() throws {
        func head(_ seconds: Double) -> StoredHead {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            return StoredHead(
                key: CacheSamples.key(),
                selectors: [],
                status: 200,
                headers: [:],
                requestDate: date,
                responseDate: CacheSamples.date
            )
        }
        for sign in [1.0, -1.0] {
            let latest = head(1e11 * sign)
            #expect(Self.head(try Self.metadata(latest)) == latest)
            #expect(EntryMetadata.bytes(of: head((1e11).nextUp * sign)) == nil)
        }
    }

    @Test("keeps 1024 selectors, and no more")
    func selectors() throws {
        func head(_ count: Int) -> StoredHead {
            StoredHead(
                key: CacheSamples.key(),
                selectors: (0..<count).map { StoredHead.Selector(name: "x-\($0)", value: "1") },
                status: 200,
                headers: [:],
                requestDate: CacheSamples.date,
                responseDate: CacheSamples.date
            )
        }
        #expect(Self.head(try Self.metadata(head(1024))) == head(1024))
        #expect(EntryMetadata.bytes(of: head(1025)) == nil)
    }
}
