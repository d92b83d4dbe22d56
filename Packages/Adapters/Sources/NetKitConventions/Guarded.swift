import Foundation

/// A value behind a lock.
package final class Guarded<Value>: @unchecked Sendable {
    // Proof: the value is read and written in `withLock` alone, which holds the lock for the whole access; what goes in
    // and what comes out is `sending`, so no other reference is left behind.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
