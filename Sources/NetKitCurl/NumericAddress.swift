internal import Foundation

/// A numeric IP address.
struct NumericAddress: Sendable {
    /// 4 or 16 bytes in network order.
    private let bytes: [UInt8]

    /// Parses an address; nil if it isn't numeric.
    init?(_ text: String) {
        var four = [UInt8](repeating: 0, count: 4)
        var sixteen = [UInt8](repeating: 0, count: 16)
        // An IPv6 address may have a zone.
        let address = text.prefix { $0 != "%" }
        if inet_pton(AF_INET, String(address), &four) == 1 {
            bytes = four
        } else if inet_pton(AF_INET6, String(address), &sixteen) == 1 {
            bytes = sixteen
        } else {
            return nil
        }
    }

    private init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// Whether the address is globally reachable, by the special-purpose registries (RFC 6890).
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.special4.contains { isIn($0) } }
        // An IPv4 address in an IPv6 one: mapped (RFC 4291), translated (RFC 6052), and 6to4 (RFC 3056).
        if isIn(Self.mapped) || isIn(Self.translated) {
            return NumericAddress(bytes[12...]).isPublic
        }
        if isIn(Self.sixToFour) { return NumericAddress(bytes[2..<6]).isPublic }
        return isIn(Self.globalUnicast) && !Self.special6.contains { isIn($0) }
    }

    private func isIn(_ block: Block) -> Bool {
        var bits = block.bits
        for (own, other) in zip(bytes, block.prefix) {
            guard bits > 0 else { return true }
            let mask: UInt8 = bits >= 8 ? 0xFF : ~(0xFF >> UInt8(bits))
            guard own & mask == other & mask else { return false }
            bits -= 8
        }
        return true
    }

    private struct Block: Sendable {
        let prefix: [UInt8]
        let bits: Int

        init(_ bits: Int, _ prefix: UInt8...) {
            self.bits = bits
            // Zeros up to the length of the block.
            self.prefix = prefix + Array(repeating: 0, count: max(0, (bits + 7) / 8 - prefix.count))
        }
    }

    /// The blocks of the IPv4 registry that aren't globally reachable, multicast, and reserved addresses.
    private static let special4 = [
        Block(8, 0), Block(8, 10), Block(10, 100, 64), Block(8, 127), Block(16, 169, 254),
        Block(12, 172, 16), Block(24, 192, 0, 0), Block(24, 192, 0, 2), Block(24, 192, 88, 99),
        Block(16, 192, 168), Block(15, 198, 18), Block(24, 198, 51, 100), Block(24, 203, 0, 113),
        Block(4, 224), Block(4, 240),
    ]

    private static let globalUnicast = Block(3, 0x20)
    private static let mapped = Block(96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF)
    private static let translated = Block(96, 0x00, 0x64, 0xFF, 0x9B)
    private static let sixToFour = Block(16, 0x20, 0x02)

    /// The blocks below 2000::/3 that aren't globally reachable: protocol assignments with Teredo, and documentation.
    private static let special6 = [
        Block(23, 0x20, 0x01), Block(32, 0x20, 0x01, 0x0D, 0xB8), Block(20, 0x3F, 0xFF),
    ]
}
