import Foundation
import Testing

@testable import NetKitTesting

@Suite("Gzip")
struct GzipTests {
    private static let hasGzip = FileManager.default.isExecutableFile(atPath: "/usr/bin/gzip")

    @Test(
        "decompresses to the original bytes",
        .enabled(if: hasGzip),
        arguments: [0, 1, 5, 65_535, 65_536, 200_000]
    )
    func stored(count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        #expect(try unpacked(Gzip.stored(data)) == data)
    }

    @Test(
        "compresses zeros more than a hundredfold",
        .enabled(if: hasGzip),
        arguments: [0, 1, 2, 258, 259, 260, 1000, 12_345_678]
    )
    func zeros(count: Int) throws {
        let packed = Gzip.zeros(count)
        #expect(try unpacked(packed) == Data(count: count))
        #expect(packed.count < 320 + count / 100)
    }

    @Test("computes the standard CRC-32", arguments: [("", 0), ("123456789", 0xCBF4_3926)])
    func checksum(text: String, expected: UInt32) {
        var checksum = CRC32()
        checksum.update(Data(text.utf8))
        #expect(checksum.value == expected)
    }

    @Test(
        "extends a checksum by a run of zeros",
        arguments: [0, 1, 2, 3, 255, 100_000]
    )
    func zeroChecksum(count: Int) {
        var slow = CRC32()
        slow.update(Data("abc".utf8) + Data(count: count))
        var fast = CRC32()
        fast.update(Data("abc".utf8))
        fast.updateWithZeros(count)
        #expect(slow.value == fast.value)
    }

    /// What gzip, which checks the checksum and the length, makes of a file.
    private func unpacked(_ packed: Data) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).gz")
        try packed.write(to: file)
        let output = file.appendingPathExtension("out")
        defer { for file in [file, output] { try? FileManager.default.removeItem(at: file) } }
        // Foundation's `Process` reads beyond the list of open descriptors, which can end this process.
        #expect(system("/usr/bin/gzip -dc '\(file.path)' > '\(output.path)'") == 0)
        return try Data(contentsOf: output)
    }
}
