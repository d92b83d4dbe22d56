import NetKit

/// The fast 64-bit hash xxHash, which detects damage but not tampering.
///
/// It was designed by Yann Collet, <https://github.com/Cyan4973/xxHash>. The seed is 0.
struct XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
    private static let stripe = 32

    /// Four lanes, each of which processes 8 bytes of a stripe.
    private var lane1 = prime1 &+ prime2
    private var lane2 = prime2
    private var lane3: UInt64 = 0
    private var lane4 = 0 &- prime1
    private var length: UInt64 = 0
    /// The bytes that don't fill a stripe yet.
    private var rest: [UInt8] = []

    /// Returns the digest of contiguous bytes.
    static func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = XXH64()
        let end = hash.addStripes(bytes)
        hash.length = UInt64(bytes.count)
        return hash.digest(with: UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }

    /// Adds the next bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.stripe - rest.count, bytes.count)
            rest += bytes[..<start]
            guard rest.count == Self.stripe else { return }
            let full = rest
            full.withUnsafeBytes { _ = addStripes($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let end = start + addStripes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        rest += bytes[end...]
    }

    /// The digest of all bytes so far.
    var digest: UInt64 { rest.withUnsafeBytes { digest(with: $0) } }

    /// Adds all complete stripes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The number of bytes added.
    private mutating func addStripes(_ bytes: UnsafeRawBufferPointer) -> Int {
        let end = bytes.count / Self.stripe * Self.stripe
        var (v1, v2, v3, v4) = (lane1, lane2, lane3, lane4)
        var offset = 0
        while offset < end {
            v1 = Self.round(v1, Self.word(bytes, offset))
            v2 = Self.round(v2, Self.word(bytes, offset + 8))
            v3 = Self.round(v3, Self.word(bytes, offset + 16))
            v4 = Self.round(v4, Self.word(bytes, offset + 24))
            offset += Self.stripe
        }
        (lane1, lane2, lane3, lane4) = (v1, v2, v3, v4)
        return end
    }

    private func digest(with rest: UnsafeRawBufferPointer) -> UInt64 {
        var hash = Self.prime5
        if length >= UInt64(Self.stripe) {
            hash =
                lane1.rotated(left: 1) &+ lane2.rotated(left: 7) &+ lane3.rotated(left: 12)
                &+ lane4.rotated(left: 18)
            for lane in [lane1, lane2, lane3, lane4] {
                hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
            }
        }
        hash &+= length
        var offset = 0
        while rest.count - offset >= 8 {
            hash ^= Self.round(0, Self.word(rest, offset))
            hash = hash.rotated(left: 27) &* Self.prime1 &+ Self.prime4
            offset += 8
        }
        if rest.count - offset >= 4 {
            let half = UInt32(
                littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            )
            hash ^= UInt64(half) &* Self.prime1
            hash = hash.rotated(left: 23) &* Self.prime2 &+ Self.prime3
            offset += 4
        }
        while offset < rest.count {
            hash ^= UInt64(rest[offset]) &* Self.prime5
            hash = hash.rotated(left: 11) &* Self.prime1
            offset += 1
        }
        hash = (hash ^ hash >> 33) &* Self.prime2
        hash = (hash ^ hash >> 29) &* Self.prime3
        return hash ^ hash >> 32
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        (lane &+ word &* prime2).rotated(left: 31) &* prime1
    }
}

extension UInt64 {
    /// Returns the bits rotated to the left.
    fileprivate func rotated(left count: UInt64) -> UInt64 {
        self &<< count | self &>> (64 &- count)
    }
}
