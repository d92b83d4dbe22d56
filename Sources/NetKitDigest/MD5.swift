import NetKit
import NetKitSupport

/// The MD5 message digest (RFC 1321), which Digest authentication still uses.
///
/// MD5 is broken. Don't use it for anything else.
struct MD5: BlockHash {
    /// The sines of 1 to 64, as fractions of 2³².
    private static let constants: [UInt32] = [
        0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A,
        0xA8304613, 0xFD469501, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE,
        0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821, 0xF61E2562, 0xC040B340,
        0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
        0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8,
        0x676F02D9, 0x8D2A4C8A, 0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C,
        0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70, 0x289B7EC6, 0xEAA127FA,
        0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
        0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92,
        0xFFEFF47D, 0x85845DD1, 0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1,
        0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
    ]

    /// The rotations of the four rounds.
    private static let rotations: [[Int]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]

    static let blockSize = 64
    static let lengthSize = 8
    static let lengthIsBigEndian = false

    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]

    /// The digest of 16 bytes.
    var bytes: [UInt8] { state.flatMap { $0.byteSwapped.bigEndianBytes } }

    mutating func compress(_ block: ArraySlice<UInt8>) {
        let words = stride(from: block.startIndex, to: block.endIndex, by: 4)
            .map { UInt32(bigEndian: block[$0..<$0 + 4]).byteSwapped }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let mix: UInt32
            let word: Int
            switch step / 16 {
            case 0: (mix, word) = ((b & c) | (~b & d), step)
            case 1: (mix, word) = ((d & b) | (~d & c), (5 * step + 1) % 16)
            case 2: (mix, word) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mix, word) = (c ^ (b | ~d), 7 * step % 16)
            }
            let sum = a &+ mix &+ Self.constants[step] &+ words[word]
            let next = b &+ sum.rotated(right: 32 - Self.rotations[step / 16][step % 4])
            (a, d, c, b) = (d, c, b, next)
        }
        for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
    }
}
