package import Foundation

/// A text that is compared byte by byte.
///
/// Strings with different Unicode compositions are equal in Swift, but not to a server.
package struct ExactText: Hashable, Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }
}

/// The name of a header field, which ignores the case of ASCII letters in comparisons.
package struct FoldedName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    @inline(never)  // names are compared in over a hundred places
    package static func == (left: FoldedName, right: FoldedName) -> Bool {
        guard left.text.utf8.count == right.text.utf8.count else { return false }
        return right.text.utf8.withContiguousBytes { left.matches(UnsafeRawBufferPointer($0)) }
    }

    /// Whether the bytes are this name in any case.
    package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        return text.utf8.withContiguousBytes { name in
            for index in name.indices where name[index] != bytes[index] {
                guard HTTPToken.folded(name[index]) == HTTPToken.folded(bytes[index]) else {
                    return false
                }
            }
            return true
        }
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(HTTPToken.folded(byte)) }
        hasher.combine(UInt8.max)
    }
}

extension String {
    /// Returns whether both strings consist of the same bytes, whatever Unicode says of their equality.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && beginsWithBytes(of: other)
    }

    /// Returns whether the string begins with the bytes of another one.
    package func beginsWithBytes(of other: String) -> Bool {
        guard utf8.count >= other.utf8.count else { return false }
        return utf8.withContiguousBytes { bytes in
            other.utf8.withContiguousBytes { others in
                guard let start = bytes.baseAddress, let other = others.baseAddress else {
                    return true
                }
                return memcmp(start, other, others.count) == 0
            }
        }
    }

    /// Creates a string from valid UTF-8.
    ///
    /// Nil for invalid bytes, which `String` would repair.
    @inline(never)
    package init?(exactly bytes: Data) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
