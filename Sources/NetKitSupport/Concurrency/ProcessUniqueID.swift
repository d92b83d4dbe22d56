import Foundation

/// An identifier that is unique across processes, and cheaper to create than a UUID.
package struct ProcessUniqueID: Hashable, Sendable {
    private static let process = UUID().uuidString
    private static let last = Locked(0)

    private let number: Int

    /// Creates a unique identifier.
    package init() {
        number = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    /// The identifier as text.
    package var text: String { "\(Self.process)-\(number)" }
}
