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
