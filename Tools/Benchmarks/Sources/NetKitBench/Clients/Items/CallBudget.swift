import Synchronization

/// How many calls are left to start, shared by all that start them, so that none idles at the end.
final class CallBudget: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// Takes one call.
    ///
    /// - Returns: `false` when there is none left.
    func take() -> Bool {
        left.subtract(1, ordering: .relaxed).newValue >= 0
    }
}
