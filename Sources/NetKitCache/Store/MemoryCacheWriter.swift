import Foundation
import NetKit

/// Collects a body in memory.
final class MemoryCacheWriter: CacheWriter {
    private struct State {
        var body = Data()
        var writes = 0
        /// Whether further bytes are ignored.
        var isOver = false
        var isDiscarded = false
    }

    let key: CacheKey
    private let store: MemoryCacheStore
    private let length: Int64?
    private let state = Locked(State())

    init(for key: CacheKey, in store: MemoryCacheStore, length: Int64?) {
        self.key = key
        self.store = store
        self.length = length
    }

    deinit { store.forget(ObjectIdentifier(self), for: key.url) }

    func write(_ data: Data) {
        let isTooLong = state.withLock { state in
            guard !state.isOver, !data.isEmpty else { return false }
            guard data.count <= store.maximumSize - state.body.count else { return true }
            state.writes += 1
            if state.writes == 1 {
                // Shares the bytes, except for a slice, which would retain its whole parent.
                state.body = data.startIndex == 0 ? data : Data(data)
            } else {
                if state.writes == 2, let length {
                    state.body.reserveCapacity(Int(clamping: max(length, 0)))
                }
                state.body.append(data)
            }
            return false
        }
        if isTooLong { discard() }
    }

    var isDiscarded: Bool { state.withLock { $0.isDiscarded } }

    var isFull: Bool { false }

    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool { false }

    func commit(_ head: StoredHead) async -> Bool {
        let body = state.withLock { state -> Data? in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.body = Data() }
            // Data that grew in steps has excess capacity.
            guard state.writes > 1, length == nil else { return state.body }
            return state.body.withUnsafeBytes { Data($0) }
        }
        guard let body, head.key == key, store.insert(body, head, from: self) else {
            discard()
            return false
        }
        return true
    }

    func discard() {
        giveUp()
        store.forget(ObjectIdentifier(self), for: key.url)
    }

    /// Stops writing and releases the bytes.
    func giveUp() {
        state.withLock { state in
            (state.isOver, state.isDiscarded) = (true, true)
            state.body = Data()
        }
    }
}
