@testable import NetKit
@testable import NetKitDigest
import NetKitSupport

/// Messages of many lengths, whose digests were computed by another implementation.
enum DigestVectors {
    /// Digests the digests of messages of 0 to `length` bytes: all the ways to fill up a block, twice.
    static func digestOfShort(upTo length: Int = 130, _ digest: ([UInt8]) -> [UInt8]) -> String {
        combined((0...length).map { ($0, 7) }, digest)
    }

    /// Digests the digests of 200 messages of up to 4095 bytes.
    static func digestOfLong(_ digest: ([UInt8]) -> [UInt8]) -> String {
        var seed: UInt64 = 1
        let lengths = (0..<200)
            .map { _ in
                seed = (seed &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
                return Int((seed >> 8) % 4096)
            }
        return combined(lengths.map { ($0, 31) }, digest)
    }

    private static func combined(
        _ messages: [(length: Int, factor: Int)],
        _ digest: ([UInt8]) -> [UInt8]
    ) -> String {
        let digests = messages.flatMap { length, factor in
            digest((0..<length).map { UInt8(truncatingIfNeeded: $0 * factor + length) })
        }
        return digest(digests).hexadecimal
    }
}
