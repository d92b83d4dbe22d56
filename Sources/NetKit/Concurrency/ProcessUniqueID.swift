import Foundation

/// An identifier that is unique across processes, and cheaper to create than a UUID.
struct ProcessUniqueID: Hashable, Sendable {
    private static let process = UUID().uuidString
    private static let last = Locked(0)

    private let number: Int

    /// Creates a unique identifier.
    init() {
        number = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    /// The identifier as text.
    var text: String { "\(Self.process)-\(number)" }
}
