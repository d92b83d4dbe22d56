import NetKit
import NetKitSupport

/// A hash algorithm of Digest authentication (RFC 7616, section 3.3).
struct DigestAlgorithm: Equatable, Sendable {
    /// The hash functions.
    enum Hash: Sendable {
        case md5, sha256, sha512t256

        /// The relative strength of the hash.
        var strength: Int { self == .md5 ? 0 : 1 }
    }

    /// The hash function.
    let hash: Hash
    /// Whether the secret is that of a session (`-sess`).
    let isSession: Bool

    /// Parses the parameter `algorithm`, or returns nil for an unsupported algorithm.
    ///
    /// - Parameter name: The value in any case, or nil without the parameter, which means MD5.
    init?(_ name: String?) {
        switch name?.lowercased() {
        case nil, "md5": (hash, isSession) = (.md5, false)
        case "md5-sess": (hash, isSession) = (.md5, true)
        case "sha-256": (hash, isSession) = (.sha256, false)
        case "sha-256-sess": (hash, isSession) = (.sha256, true)
        case "sha-512-256": (hash, isSession) = (.sha512t256, false)
        case "sha-512-256-sess": (hash, isSession) = (.sha512t256, true)
        default: return nil
        }
    }

    /// Returns the digest of a text's UTF-8 in lowercase hexadecimal: `H(data)` of the RFC.
    func digest(of text: String) -> String {
        let message = Array(text.utf8)
        let digest =
            switch hash {
            case .md5: MD5.digest(of: message)
            case .sha256: SHA256.digest(of: message)
            case .sha512t256: SHA512t256.digest(of: message)
            }
        return digest.hexadecimal
    }

    /// Returns the digest of a body: `H(entity-body)` of the RFC.
    ///
    /// - Parameter body: The body, which is read to its end, or nil for an empty one.
    /// - Returns: The digest in lowercase hexadecimal.
    /// - Throws: An error if the body can't be read.
    func digest(of body: BodySource?) throws -> String {
        let digest =
            switch hash {
            case .md5: try Self.digest(of: body, by: MD5.self)
            case .sha256: try Self.digest(of: body, by: SHA256.self)
            case .sha512t256: try Self.digest(of: body, by: SHA512t256.self)
            }
        return digest.hexadecimal
    }

    private static func digest<H: BlockHash>(
        of body: BodySource?,
        by hash: H.Type
    ) throws -> [UInt8] {
        try body.map { try HashedMessage<H>(of: $0) }?.digest ?? HashedMessage<H>().digest
    }

    /// Returns the digest of texts joined by colons.
    func digest(of parts: [String]) -> String {
        digest(of: parts.joined(separator: ":"))
    }
}

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

/// The SHA-512/256 hash (FIPS 180-4, section 6.7).
///
/// It is SHA-512 with other initial values, truncated to 256 bits.
struct SHA512t256: BlockHash {
    /// The fractional parts of the cube roots of the first 80 primes.
    private static let constants: [UInt64] = [
        0x428A2F98D728AE22, 0x7137449123EF65CD, 0xB5C0FBCFEC4D3B2F, 0xE9B5DBA58189DBBC,
        0x3956C25BF348B538, 0x59F111F1B605D019, 0x923F82A4AF194F9B, 0xAB1C5ED5DA6D8118,
        0xD807AA98A3030242, 0x12835B0145706FBE, 0x243185BE4EE4B28C, 0x550C7DC3D5FFB4E2,
        0x72BE5D74F27B896F, 0x80DEB1FE3B1696B1, 0x9BDC06A725C71235, 0xC19BF174CF692694,
        0xE49B69C19EF14AD2, 0xEFBE4786384F25E3, 0x0FC19DC68B8CD5B5, 0x240CA1CC77AC9C65,
        0x2DE92C6F592B0275, 0x4A7484AA6EA6E483, 0x5CB0A9DCBD41FBD4, 0x76F988DA831153B5,
        0x983E5152EE66DFAB, 0xA831C66D2DB43210, 0xB00327C898FB213F, 0xBF597FC7BEEF0EE4,
        0xC6E00BF33DA88FC2, 0xD5A79147930AA725, 0x06CA6351E003826F, 0x142929670A0E6E70,
        0x27B70A8546D22FFC, 0x2E1B21385C26C926, 0x4D2C6DFC5AC42AED, 0x53380D139D95B3DF,
        0x650A73548BAF63DE, 0x766A0ABB3C77B2A8, 0x81C2C92E47EDAEE6, 0x92722C851482353B,
        0xA2BFE8A14CF10364, 0xA81A664BBC423001, 0xC24B8B70D0F89791, 0xC76C51A30654BE30,
        0xD192E819D6EF5218, 0xD69906245565A910, 0xF40E35855771202A, 0x106AA07032BBD1B8,
        0x19A4C116B8D2D0C8, 0x1E376C085141AB53, 0x2748774CDF8EEB99, 0x34B0BCB5E19B48A8,
        0x391C0CB3C5C95A63, 0x4ED8AA4AE3418ACB, 0x5B9CCA4F7763E373, 0x682E6FF3D6B2B8A3,
        0x748F82EE5DEFB2FC, 0x78A5636F43172F60, 0x84C87814A1F0AB72, 0x8CC702081A6439EC,
        0x90BEFFFA23631E28, 0xA4506CEBDE82BDE9, 0xBEF9A3F7B2C67915, 0xC67178F2E372532B,
        0xCA273ECEEA26619C, 0xD186B8C721C0C207, 0xEADA7DD6CDE0EB1E, 0xF57D4F7FEE6ED178,
        0x06F067AA72176FBA, 0x0A637DC5A2C898A6, 0x113F9804BEF90DAE, 0x1B710B35131C471B,
        0x28DB77F523047D84, 0x32CAAB7B40C72493, 0x3C9EBE0A15C9BEBC, 0x431D67C49C100D4C,
        0x4CC5D4BECB3E42B6, 0x597F299CFC657E2A, 0x5FCB6FAB3AD6FAEC, 0x6C44198C4A475817,
    ]

    static let blockSize = 128
    static let lengthSize = 16
    static let lengthIsBigEndian = true

    /// The initial values of section 5.3.6.2.
    private var state: [UInt64] = [
        0x22312194FC2BF72C, 0x9F555FA3C84C64C2, 0x2393B86B6F53B151, 0x963877195940EABD,
        0x96283EE2A88EFFE3, 0xBE5E1E2553863992, 0x2B0199FC2C85B8AA, 0x0EB72DDC81C52CA2,
    ]

    /// The digest of 32 bytes.
    var bytes: [UInt8] { state.prefix(4).flatMap(\.bigEndianBytes) }

    mutating func compress(_ block: ArraySlice<UInt8>) {
        var schedule = stride(from: block.startIndex, to: block.endIndex, by: 8)
            .map { UInt64(bigEndian: block[$0..<$0 + 8]) }
        for index in 16..<80 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let sigma0 = early.rotated(right: 1) ^ early.rotated(right: 8) ^ early >> 7
            let sigma1 = late.rotated(right: 19) ^ late.rotated(right: 61) ^ late >> 6
            schedule.append(schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1)
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<80 {
            let sigma1 = e.rotated(right: 14) ^ e.rotated(right: 18) ^ e.rotated(right: 41)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sigma1 &+ choice &+ Self.constants[round] &+ schedule[round]
            let sigma0 = a.rotated(right: 28) ^ a.rotated(right: 34) ^ a.rotated(right: 39)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = sigma0 &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
