import Foundation

/// The checksum of gzip: CRC-32 with the polynomial 0xEDB88320, bits reflected.
struct CRC32 {
    private var register = UInt32.max

    /// The checksum of all bytes so far.
    var value: UInt32 { ~register }

    mutating func update(_ data: Data) {
        Self.table.withUnsafeBufferPointer { table in
            for byte in data {
                register = table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ (register >> 8)
            }
        }
    }

    /// Adds zero bytes in time proportional to the logarithm of their number.
    mutating func updateWithZeros(_ count: Int) {
        // A zero byte multiplies the register, a polynomial whose highest bit stands for 1, by x⁸.
        var power = UInt32(1) << 23
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { register = Self.product(register, power) }
            power = Self.product(power, power)
            rest >>= 1
        }
    }

    /// The product of two polynomials modulo the checksum's own.
    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var product: UInt32 = 0
        var factor = right
        for bit in 0..<32 {
            if left & (1 << UInt32(31 - bit)) != 0 { product ^= factor }
            factor = factor & 1 == 0 ? factor >> 1 : (factor >> 1) ^ polynomial
        }
        return product
    }

    private static let polynomial: UInt32 = 0xEDB8_8320

    private static let table: [UInt32] = (0..<256)
        .map { byte in
            (0..<8)
                .reduce(UInt32(byte)) { value, _ in
                    value & 1 == 0 ? value >> 1 : (value >> 1) ^ polynomial
                }
        }
}
