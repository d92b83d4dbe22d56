public import Foundation

/// A value protected by a lock, NetKit's only form of mutable state shared between threads.
///
/// It isn't `Synchronization.Mutex`, for which the thread sanitizer reports false races. It isn't `NSLock` either,
/// because each call creates several locks, and this one shares an allocation with its value. Copies share the value.
/// State of several properties is `~Copyable`, because no copy of it belongs outside of the lock.
///
/// Unlike the other names of this module, it is public: only what is public and inlinable is specialized in other modules.
/// Without that, each access would look up metadata.
///
/// Decide inside ``withLock(_:)`` and act outside it: user code, continuations and calls to URLSession don't belong
/// under the lock.
public struct Locked<Value: ~Copyable>: @unchecked Sendable {
    // Proof: the value is accessed only in `withLock`, which holds the mutex for the whole access. Arguments and
    // results are `sending`, so no other reference remains. The mutex and the value don't move while the storage
    // exists.
    //
    // A ``LockedStorage``. Of its full type, the end of each access in another module would look up the metadata, which
    // takes most of a lock's time.
    @usableFromInline let storage: AnyObject

    @inlinable
    public init(_ value: consuming sending Value) {
        let storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        self.storage = storage
        let (mutex, element) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_init(mutex, nil)
        element.initialize(to: value)
        extendLifetime(storage)
    }

    /// Calls `body` with exclusive access to the value.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let (mutex, value) = unsafeDowncast(storage, to: LockedStorage<Value>.self)
            .withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            // The pointers are valid only while the storage exists.
            extendLifetime(storage)
        }
        return try body(&value.pointee)
    }
}

/// A mutex, followed by the value that it protects.
@usableFromInline
final class LockedStorage<Value: ~Copyable>: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
        withUnsafeMutablePointers { mutex, element in
            element.deinitialize(count: 1)
            pthread_mutex_destroy(mutex)
        }
    }
}
