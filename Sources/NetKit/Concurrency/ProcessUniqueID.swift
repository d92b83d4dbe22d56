import Foundation

/// Tells objects apart, also those of another run of the program; cheaper to make than a UUID.
struct ProcessUniqueID: Hashable, Sendable {
    private static let process = UUID().uuidString
    private static let last = Locked(0)

    private let number: Int

    /// Creates one that nothing else has.
    init() {
        number = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    /// The same as text.
    var text: String { "\(Self.process)-\(number)" }
}
