import NetKit
import NetKitSupport

/// The SHA-1 hash (FIPS 180-4, section 6.1), which tus requires of its servers.
///
/// SHA-1 is broken. It detects accidents, not attacks.
struct SHA1: BlockHash {
    static let blockSize = 64
    static let lengthSize = 8
    static let lengthIsBigEndian = true

    private static let constants: [UInt32] = [
        0x5A82_7999, 0x6ED9_EBA1, 0x8F1B_BCDC, 0xCA62_C1D6,
    ]

    private var state: [UInt32] = [
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0,
    ]

    /// The digest of 20 bytes.
    var bytes: [UInt8] { state.flatMap(\.bigEndianBytes) }

    mutating func compress(_ block: ArraySlice<UInt8>) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4)
            .map { UInt32(bigEndian: block[$0..<$0 + 4]) }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed.rotated(right: 31))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let mix: UInt32 =
                switch round / 20 {
                case 0: (b & c) | (~b & d)
                case 2: (b & c) | (b & d) | (c & d)
                default: b ^ c ^ d
                }
            let sum = a.rotated(right: 27) &+ mix &+ e &+ Self.constants[round / 20] &+ word
            (e, d, c, b, a) = (d, c, b.rotated(right: 2), a, sum)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
}

extension TusUpload.Checksum {
    /// Returns the digest of a body, which is read to its end.
    func digest(of source: BodySource) throws -> [UInt8] {
        switch self {
        case .sha1: try HashedMessage<SHA1>(of: source).digest
        case .sha256: try HashedMessage<SHA256>(of: source).digest
        }
    }
}
