package import Foundation

extension String {
    /// Creates a string from valid UTF-8.
    ///
    /// Nil for invalid bytes, which `String` would repair.
    @inline(never)
    package init?(exactly bytes: Data) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}

/// A text that is compared byte by byte.
///
/// Strings with different Unicode compositions are equal in Swift, but not to a server.
package struct ExactText: Hashable, Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }
}
