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
