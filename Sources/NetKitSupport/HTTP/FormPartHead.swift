/// The head of a part of `multipart/form-data` (RFC 7578).
package enum FormPartHead {
    /// Creates a boundary of 192 random bits, so that no content contains it.
    ///
    /// It has 55 of the 70 characters that RFC 2046 allows.
    package static func randomBoundary() -> String {
        var boundary = "netkit-"
        for _ in 0..<3 {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            boundary += String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return boundary
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
