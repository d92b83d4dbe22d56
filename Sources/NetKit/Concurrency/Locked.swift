import Foundation

/// A value behind a lock: the one place where NetKit shares mutable state between threads.
///
/// `NSLock` rather than `Synchronization.Mutex`, in which the thread sanitizer reports races that
/// are not there. Decide inside ``withLock(_:)``, act outside it: no user code, no continuation and
/// no call into URLSession belongs under the lock.
package final class Locked<Value>: @unchecked Sendable {
    // Proof: `value` is read and written in `withLock` alone, which holds `lock` for the whole
    // access; what goes in and what comes out is `sending`, so no other reference is left behind.
    private let lock = NSLock()
    // Behind a pointer, so that the runtime does not check on top of the lock that access is
    // exclusive; it is the same memory for as long as the object lives.
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value.pointee)
    }
}
