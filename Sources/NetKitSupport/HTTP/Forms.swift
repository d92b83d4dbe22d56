/// The head of a part of `multipart/form-data` (RFC 7578).
package enum FormPartHead {
    /// Creates a boundary of 192 random bits, so that no content contains it.
    ///
    /// It has 55 of the 70 characters that RFC 2046 allows.
    package static func randomBoundary() -> String {
        "netkit-" + [UInt8].random(24).hexadecimal
    }

    /// Appends a head, up to the content of its part.
    ///
    /// - Parameters:
    ///   - boundary: The boundary of the form.
    ///   - name: The name of the field.
    ///   - fileName: The name of the file, or nil.
    ///   - type: The media type, or nil.
    ///   - bytes: The bytes of the form.
    package static func append(
        _ boundary: String,
        name: String,
        fileName: String?,
        type: String?,
        to bytes: inout [UInt8]
    ) {
        bytes += "--".utf8
        bytes += boundary.utf8
        bytes += "\r\nContent-Disposition: form-data; name=\"".utf8
        append(escaping: name, to: &bytes)
        if let fileName {
            bytes += "\"; filename=\"".utf8
            append(escaping: fileName, to: &bytes)
        }
        bytes += "\"\r\n".utf8
        if let type {
            bytes += "Content-Type: ".utf8
            bytes += type.utf8
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
    }

    /// Adds a name, escaped as the WHATWG HTML standard specifies.
    ///
    /// Only quotes and line breaks are escaped, because they could end the value or the line. Everything else is kept,
    /// in UTF-8.
    private static func append(escaping name: String, to bytes: inout [UInt8]) {
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "%22".utf8
            case 0x0D: bytes += "%0D".utf8
            case 0x0A: bytes += "%0A".utf8
            default: bytes.append(byte)
            }
        }
    }
}

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
