import Foundation

/// A value behind a lock, as NetKit has one for itself and the tests of its own package.
struct Locked<Value>: @unchecked Sendable {
    // Proof: the value is read and written in `withLock` alone, under the lock, and what goes in and
    // comes out is `sending`, so that no other reference is left behind.
    private final class Storage {
        let lock = NSLock()
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let storage: Storage

    init(_ value: sending Value) {
        storage = Storage(value)
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.value)
    }
}
