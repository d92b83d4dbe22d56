/// Percent-encoding by RFC 3986, section 2.1, on bytes.
enum PercentEncoding {
    /// Which bytes stay as they are.
    enum Component {
        /// A query's name or value: unreserved bytes alone, so that any server reads back the same.
        case queryValue
        /// One segment of a path: a slash is encoded.
        case segment
        /// A path as its author wrote it: slashes stay, and so do triplets that are there.
        case path
        /// A query as its author wrote it: triplets that are there stay.
        case query
        /// `application/x-www-form-urlencoded` by the WHATWG's URL standard: a space is a plus.
        case form
    }

    /// Adds `text`, encoded, to `bytes`.
    static func append(
        _ text: some StringProtocol,
        as component: Component,
        to bytes: inout [UInt8]
    ) {
        let source = Array(text.utf8)
        for (index, byte) in source.enumerated() {
            if isAllowed(byte, in: component) {
                bytes.append(byte)
            } else if byte == 0x20, component == .form {
                bytes.append(UInt8(ascii: "+"))
            } else if byte == UInt8(ascii: "%"), keepsTriplets(component),
                isTriplet(source, at: index)
            {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hex(byte >> 4))
                bytes.append(hex(byte & 15))
            }
        }
    }

    private static func isAllowed(_ byte: UInt8, in component: Component) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "~"): component != .form
        case UInt8(ascii: "*"): component != .queryValue
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"):
            component == .segment || component == .path || component == .query
        case UInt8(ascii: "/"): component == .path || component == .query
        case UInt8(ascii: "?"): component == .query
        default: false
        }
    }

    private static func keepsTriplets(_ component: Component) -> Bool {
        component == .path || component == .query
    }

    private static func isTriplet(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func hex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x37 + nibble
    }
}
