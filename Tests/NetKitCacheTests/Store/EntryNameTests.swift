import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitSupport

@Suite("Cache entry names")
struct EntryNameTests {
    private static let zeros = String(repeating: "0", count: 16)

    @Test("parses its own names")
    func roundTrip() {
        for _ in 0..<100 {
            let key = EntryName.Key(url: .random(in: 0...(.max)), partition: .random(in: 0...9))
            let name = EntryName(key)
            for kind in EntryName.Kind.allCases {
                #expect(EntryName(name.file(kind), kind) == name)
            }
            #expect(EntryName(name.file(.entry), .part) == nil)
            #expect(name.file(.entry).utf8.count == 56)
        }
    }

    @Test(
        "has exactly one spelling",
        arguments: [
            "", ".entry", "key", "lock", "--.entry", "\(zeros)-\(zeros).entry",
            "\(zeros)-\(zeros)-\(zeros)", "\(zeros)-\(zeros)-\(zeros).entry.entry",
            "\(zeros)-\(zeros)-\(zeros)-\(zeros).entry", "0\(zeros)-\(zeros)-\(zeros).entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast())A.entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast()).entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast())g.entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast())`.entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast())/.entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast()):.entry",
            "\(zeros)-\(zeros)-\(zeros.dropLast())\u{0660}.entry",
            "\(zeros)--\(zeros)-\(zeros).entry", "-\(zeros)-\(zeros)-\(zeros).entry",
            "\(zeros)-\(zeros)-\(zeros)-.entry",
            " \(zeros)-\(zeros)-\(zeros).entry", "\(zeros)_\(zeros)-\(zeros).entry",
            "\(zeros)-\(zeros)-\(zeros).Entry",
        ]
    )
    func foreign(name: String) {
        for kind in EntryName.Kind.allCases { #expect(EntryName(name, kind) == nil) }
    }

    @Test("depends on URL, partition and secret")
    func keys() {
        let names = EntryNames(secret: [1, 2, 3])
        let key = names.key(of: CacheKey(url: "u", partition: "p"))
        #expect(names.key(of: CacheKey(url: "u", partition: "p")) == key)
        #expect(names.url("u") == key.url)
        let other = names.key(of: CacheKey(url: "u", partition: "q"))
        #expect(other.url == key.url && other.partition != key.partition)
        #expect(EntryNames(secret: [1, 2, 4]).url("u") != key.url)
        // SHA-256 of 01 02 03 and "u", its first 64 bits.
        #expect(SHA256.digest(of: [1, 2, 3, 0x75]).prefix(8).elementsEqual(key.url.bigEndianBytes))
    }

    @Test("is stable beyond the number of remembered keys")
    func manyKeys() {
        let names = EntryNames(secret: EntryNames.makeSecret())
        let keys = (0..<1500).map { CacheKey(url: "https://example.com/\($0)", partition: "") }
        let first = keys.map { names.key(of: $0) }
        #expect(Set(first).count == keys.count)
        #expect(keys.map { names.key(of: $0) } == first)
        let long = CacheKey(url: String(repeating: "x", count: 5000), partition: "")
        #expect(names.key(of: long) == names.key(of: long))
    }
}
