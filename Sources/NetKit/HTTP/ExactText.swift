package import Foundation

extension String {
    /// Makes a text of UTF-8, and none of other bytes, which would be repaired.
    @inline(never)
    package init?(exactly bytes: Data) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
