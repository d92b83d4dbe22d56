/// A message as MD5 and SHA-256 take it: in whole blocks, with its length at the end.
enum PaddedMessage {
    /// The length of a block, in bytes.
    static let blockSize = 64

    /// The message, a 1 bit, as few zeros as it takes, and the length in bits (RFC 1321, sections 3.1 and
    /// 3.2; FIPS 180-4, section 5.1.1).
    static func bytes(of message: [UInt8], lengthIsBigEndian: Bool) -> [UInt8] {
        var bytes = message
        bytes.append(0x80)
        let zeros = (2 * blockSize - 8 - bytes.count % blockSize) % blockSize
        bytes.append(contentsOf: repeatElement(0, count: zeros))
        let length = UInt64(truncatingIfNeeded: message.count) &* 8
        let shifts = stride(from: 0, to: 64, by: 8)
        for shift in lengthIsBigEndian ? shifts.reversed() : Array(shifts) {
            bytes.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
        }
        return bytes
    }
}

extension UInt32 {
    /// The bits, moved to the right; what falls off comes in at the left.
    ///
    /// - Parameter count: How far: 1 to 31.
    /// - Returns: The rotated bits.
    func rotated(right count: UInt32) -> UInt32 {
        self >> count | self << (32 - count)
    }
}
