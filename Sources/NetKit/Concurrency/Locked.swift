import Foundation

/// A value behind a lock: the one place where NetKit shares mutable state between threads.
///
/// A mutex rather than `Synchronization.Mutex`, in which the thread sanitizer reports races that are
/// not there, and rather than `NSLock`, which makes three allocations more and several are made for
/// each call. Decide inside ``withLock(_:)``, act outside it: no user code, no continuation and no
/// call into URLSession belongs under the lock.
package final class Locked<Value>: @unchecked Sendable {
    // Proof: `value` is read and written in `withLock` alone, which holds `mutex` for the whole
    // access; what goes in and what comes out is `sending`, so no other reference is left behind.
    // Both live at one address for as long as the object does.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
