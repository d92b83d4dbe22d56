extension String {
    /// Whether this is a token: at least one character, and none but those of RFC 9110, section 5.6.2.
    package var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy { HTTPToken.allows($0) }
    }
}

extension String.UTF8View {
    /// Runs `body` with the bytes, without copying them where they are in one piece.
    func withContiguousBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}

/// The characters of tokens.
enum HTTPToken {
    static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// An upper-case ASCII letter as its lower-case twin; anything else as it is.
    static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
