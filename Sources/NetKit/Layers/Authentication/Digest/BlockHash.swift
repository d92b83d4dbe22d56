/// A hash that takes a message in blocks of one size, with the message's length at its end.
protocol BlockHash {
    /// The length of a block, in bytes.
    static var blockSize: Int { get }
    /// How many bytes the message's length takes up at the end of the last block.
    static var lengthSize: Int { get }
    /// Whether the most significant byte of the length comes first.
    static var lengthIsBigEndian: Bool { get }
    /// The digest of the blocks so far.
    var bytes: [UInt8] { get }

    init()

    /// Takes one block.
    mutating func compress(_ block: ArraySlice<UInt8>)
}

extension BlockHash {
    /// The digest of a message.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var hashed = HashedMessage<Self>()
        hashed.add(message[...])
        return hashed.digest
    }
}

/// A message on its way into a hash, piece by piece.
struct HashedMessage<Hash: BlockHash> {
    private var hash = Hash()
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    /// Adds the next bytes of the message.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        length &+= UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= Hash.blockSize {
            hash.compress(rest[start..<start + Hash.blockSize])
            start += Hash.blockSize
        }
        rest.removeFirst(start)
    }

    /// The digest of the whole message: with a 1 bit, as few zeros as it takes, and the length in bits (RFC 1321,
    /// sections 3.1 and 3.2; FIPS 180-4, section 5.1).
    var digest: [UInt8] {
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
    /// Reads an integer from bytes, the most significant first.
    init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8)
            .map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// The bits, moved to the right; what falls off comes in at the left.
    ///
    /// - Parameter count: How far: 1 to one less than the width.
    /// - Returns: The rotated bits.
    func rotated(right count: Int) -> Self {
        self >> count | self << (Self.bitWidth - count)
    }
}
