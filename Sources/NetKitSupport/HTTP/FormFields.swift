/// A decoder of `application/x-www-form-urlencoded` text (WHATWG URL, section 5.1).
package enum FormFields {
    /// Parses names and values, in order.
    ///
    /// An item without `=` has an empty value.
    package static func items(in bytes: some Collection<UInt8>) -> [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "&"))
            .map { item in
                let parts = item.split(
                    separator: UInt8(ascii: "="),
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                let value = parts.count == 2 ? percentDecoded(parts[1], plusIsSpace: true) : ""
                return (percentDecoded(parts[0], plusIsSpace: true), value)
            }
    }

    /// Decodes percent escapes.
    ///
    /// A `%` that doesn't begin an escape is kept.
    package static func percentDecoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String
    {
        String(decoding: decoded(Array(bytes)[...], plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Decodes percent escapes.
    ///
    /// A `%` that doesn't begin an escape is kept.
    static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = hexValue(rest[rest.startIndex]),
                let low = hexValue(rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") && plusIsSpace ? 32 : byte)
            }
        }
        return decoded
    }

    /// Returns the value of a hexadecimal digit, or nil for another character.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
