import Foundation

/// A value behind a lock: the one place where NetKit shares mutable state between threads.
///
/// A mutex rather than `Synchronization.Mutex`, in which the thread sanitizer reports races that are
/// not there, and rather than `NSLock`: several are made for each call, and this one lies beside the
/// value, in one allocation. Copies share the value. Decide inside ``withLock(_:)``, act outside it:
/// no user code, no continuation and no call into URLSession belongs under the lock.
package struct Locked<Value>: @unchecked Sendable {
    // Proof: the value is read and written in `withLock` alone, which holds the mutex for the whole
    // access; what goes in and what comes out is `sending`, so no other reference is left behind.
    // Mutex and value stay at one address for as long as the storage exists.
    private let storage: ManagedBuffer<pthread_mutex_t, Value>

    package init(_ value: sending Value) {
        storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, element in
            pthread_mutex_init(mutex, nil)
            element.initialize(to: value)
        }
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            // The pointers are good for as long as the storage is.
            withExtendedLifetime(storage) {}
        }
        return try body(&value.pointee)
    }
}

/// A mutex and, behind it, the value it guards.
private final class LockedStorage<Value>: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
        withUnsafeMutablePointers { mutex, element in
            element.deinitialize(count: 1)
            pthread_mutex_destroy(mutex)
        }
    }
}
