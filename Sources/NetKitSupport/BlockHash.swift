/// A hash of fixed-size blocks that ends with the message's length.
package protocol BlockHash {
    /// The size of a block in bytes.
    static var blockSize: Int { get }
    /// The size of the message's length, in bytes, at the end of the last block.
    static var lengthSize: Int { get }
    /// Whether the length is big-endian.
    static var lengthIsBigEndian: Bool { get }
    /// The digest of the blocks so far.
    var bytes: [UInt8] { get }

    init()

    /// Hashes one block.
    mutating func compress(_ block: ArraySlice<UInt8>)
}

extension BlockHash {
    /// Returns the digest of a message.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var hashed = HashedMessage<Self>()
        hashed.add(message[...])
        return hashed.digest
    }
}

/// A message that is hashed piece by piece.
package struct HashedMessage<Hash: BlockHash> {
    private var hash = Hash()
    /// The bytes that don't fill a block yet.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    package init() {}

    /// Adds the next bytes of the message.
    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        length &+= UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= Hash.blockSize {
            hash.compress(rest[start..<start + Hash.blockSize])
            start += Hash.blockSize
        }
        rest.removeFirst(start)
    }

    /// The digest of the whole message with its padding.
    ///
    /// The padding is a 1 bit, zeros, and the length in bits (RFC 1321, sections 3.1 and 3.2, and FIPS 180-4, section
    /// 5.1).
    package var digest: [UInt8] {
        let end = rest.count + 1 + Hash.lengthSize
        var padding: [UInt8] = [0x80]
        let zeros = (Hash.blockSize - end % Hash.blockSize) % Hash.blockSize
        padding.append(contentsOf: repeatElement(0, count: zeros))
        let bits = length &* 8
        let count = (0..<Hash.lengthSize)
            .map { $0 < 8 ? UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) : 0 }
        padding += Hash.lengthIsBigEndian ? count.reversed() : count
        var whole = self
        whole.add(padding[...])
        return whole.hash.bytes
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Returns random bytes of the system's generator.
    package static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max) }
    }
}

extension FixedWidthInteger {
    /// Creates an integer from big-endian bytes.
    package init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes in big-endian order.
    package var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8)
            .map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// Returns the bits rotated to the right.
    ///
    /// - Parameter count: The number of bits, from 1 to the width minus 1.
    /// - Returns: The rotated bits.
    package func rotated(right count: Int) -> Self {
        self >> count | self << (Self.bitWidth - count)
    }
}

/// The SHA-256 hash (FIPS 180-4, section 6.2).
package struct SHA256: BlockHash {
    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1,
        0x923F82A4, 0xAB1C5ED5, 0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3,
        0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174, 0xE49B69C1, 0xEFBE4786,
        0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
        0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147,
        0x06CA6351, 0x14292967, 0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13,
        0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85, 0xA2BFE8A1, 0xA81A664B,
        0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
        0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A,
        0x5B9CCA4F, 0x682E6FF3, 0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208,
        0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
    ]

    package static let blockSize = 64
    package static let lengthSize = 8
    package static let lengthIsBigEndian = true

    /// The fractional parts of the square roots of the first 8 primes.
    private var state: [UInt32] = [
        0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C,
        0x1F83D9AB, 0x5BE0CD19,
    ]

    package init() {}

    /// The digest of 32 bytes.
    package var bytes: [UInt8] { state.flatMap(\.bigEndianBytes) }

    package mutating func compress(_ block: ArraySlice<UInt8>) {
        var schedule = stride(from: block.startIndex, to: block.endIndex, by: 4)
            .map { UInt32(bigEndian: block[$0..<$0 + 4]) }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let sigma0 = early.rotated(right: 7) ^ early.rotated(right: 18) ^ early >> 3
            let sigma1 = late.rotated(right: 17) ^ late.rotated(right: 19) ^ late >> 10
            schedule.append(schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1)
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sigma1 = e.rotated(right: 6) ^ e.rotated(right: 11) ^ e.rotated(right: 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sigma1 &+ choice &+ Self.constants[round] &+ schedule[round]
            let sigma0 = a.rotated(right: 2) ^ a.rotated(right: 13) ^ a.rotated(right: 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = sigma0 &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
