extension String {
    /// Whether the string is a nonempty token (RFC 9110, section 5.6.2).
    package var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy { HTTPToken.allows($0) }
    }
}

extension String.UTF8View {
    /// Calls `body` with the bytes, and copies them only if they aren't contiguous.
    package func withContiguousBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}

/// The character set of tokens.
package enum HTTPToken {
    package static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether all bytes are allowed, and there is one.
    package static func allows(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { allows($0) }
    }

    /// Lowercases an ASCII letter, and returns any other byte unchanged.
    package static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
