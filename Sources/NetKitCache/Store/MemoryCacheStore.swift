import Foundation
import NetKit
import NetKitSupport

/// A store of responses in memory.
final class MemoryCacheStore: CacheStore {
    private struct Entry {
        let id: String
        var head: StoredHead
        let body: Data

        /// Returns the approximate memory size in bytes.
        func size(with head: StoredHead) -> Int { body.count + head.memorySize }
    }

    private struct State {
        var index: CacheIndex<CacheKey, Entry>
        var writers = LiveWriters<MemoryCacheWriter>()
        var removals = Removals()
        var lastID: UInt64 = 0

        /// Returns the slot of a response if it is still stored.
        func slot(of response: StoredResponse) -> Int? {
            index.slot(of: response.head.key) { $0.id == response.id }
        }

        /// Returns the slot of the response with equal selectors.
        func twin(of head: StoredHead) -> Int? {
            index.slot(of: head.key) { $0.head.selectors == head.selectors }
        }
    }

    /// The maximum size of a response in bytes: half of the capacity up to 1 MiB, or a tenth of it if that is more.
    ///
    /// So much memory is taken by each response that is being received.
    let maximumSize: Int
    let secret = EntryNames.makeSecret()
    private let state: Locked<State>

    /// Creates a store.
    ///
    /// - Parameter capacity: The maximum number of bytes, including header fields. 0 or less stores nothing.
    init(capacity: Int) {
        let capacity = max(capacity, 0)
        maximumSize = max(capacity / 10, min(capacity / 2, 1 << 20))
        state = Locked(State(index: CacheIndex(capacity: capacity)))
    }

    func mayHave(_ key: CacheKey) -> Bool {
        state.withLock { $0.index.has(key) }
    }

    /// Calls `matches` under the lock.
    ///
    /// It only compares fields and doesn't use the store.
    func find(
        _ key: CacheKey,
        where matches: @Sendable (StoredHead) -> Bool
    ) async -> StoredResponse? {
        state.withLock { state in
            var found: (slot: Int, entry: Entry)?
            state.index.forEach(of: key) { slot, entry in
                if let found, entry.head.responseDate < found.entry.head.responseDate { return }
                if matches(entry.head) { found = (slot, entry) }
            }
            guard let (slot, entry) = found else { return nil }
            state.index.use(slot)
            return StoredResponse(id: entry.id, head: entry.head, body: .data(entry.body))
        }
    }

    func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)? {
        guard maximumSize > 0, length.map({ $0 <= maximumSize }) ?? true else { return nil }
        let writer = MemoryCacheWriter(for: key, in: self, length: length)
        state.withLock { $0.writers.insert(writer, for: key.url) }
        return writer
    }

    func update(_ response: StoredResponse, to head: StoredHead) async {
        guard head.key == response.head.key else { return }
        let head = head.withOwnFields
        state.withLock { state in
            guard let slot = state.slot(of: response), var entry = state.index[slot] else { return }
            let size = entry.size(with: head)
            guard size <= maximumSize else { return _ = state.index.remove(slot) }
            if let twin = state.twin(of: head), twin != slot { state.index.remove(twin) }
            entry.head = head
            state.index[slot] = entry
            state.index.use(slot)
            _ = state.index.resize(slot, to: size)
        }
    }

    func remove(_ response: StoredResponse) async {
        state.withLock { state in
            if let slot = state.slot(of: response) { state.index.remove(slot) }
        }
    }

    func remove(url: String) {
        let writers = state.withLock { state in
            state.removals.note(url)
            _ = state.index.removeAll(of: url)
            return state.writers.removeAll(for: url)
        }
        for writer in writers { writer.giveUp() }
    }

    func removeAll() {
        let writers = state.withLock { state in
            state.removals.note(nil)
            _ = state.index.removeAll()
            return state.writers.removeAll()
        }
        for writer in writers { writer.giveUp() }
    }

    var removals: Removals { state.withLock { $0.removals } }

    var usage: (bytes: Int, evictions: Int) {
        state.withLock { ($0.index.bytes, $0.index.evictions) }
    }

    var problem: String? { nil }
}

// MARK: - Support for writers

extension MemoryCacheStore {
    /// Makes a response visible.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - head: The head.
    ///   - writer: The writer of the response.
    ///   - date: The current date.
    /// - Returns: What became of the response.
    func insert(
        _ body: Data,
        _ head: StoredHead,
        from writer: MemoryCacheWriter,
        at date: Date
    ) -> CommitResult {
        let head = head.withOwnFields
        return state.withLock { state in
            guard state.writers.remove(ObjectIdentifier(writer), for: writer.key.url) else {
                return .refused
            }
            state.lastID += 1
            let entry = Entry(id: String(state.lastID), head: head, body: body)
            let size = entry.size(with: head)
            guard size <= maximumSize else { return .refused }
            if let twin = state.twin(of: head) {
                let stored = state.index[twin]?.head.requestDate
                guard !head.isOlder(thanOneRequestedAt: stored, now: date) else { return .outdated }
                state.index.remove(twin)
            }
            _ = state.index.insert(entry, for: head.key, size: size)
            return .stored
        }
    }

    /// Removes a writer that has ended.
    func forget(_ writer: ObjectIdentifier, for url: String) {
        _ = state.withLock { $0.writers.remove(writer, for: url) }
    }
}

extension StoredHead {
    /// The approximate memory size in bytes, including the store's overhead.
    fileprivate var memorySize: Int {
        let overhead = (entry: 512, field: 64)
        var size = overhead.entry + key.url.utf8.count + key.partition.utf8.count
        for selector in selectors {
            size += overhead.field + selector.name.utf8.count + (selector.value?.utf8.count ?? 0)
        }
        for field in headers.fields {
            size += overhead.field + field.name.rawName.utf8.count + field.value.utf8.count
        }
        return size
    }

    /// A copy that doesn't retain the engine's storage of the fields.
    fileprivate var withOwnFields: StoredHead {
        var head = self
        head.headers.removeFields { _ in false }
        return head
    }
}

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

    func commit(_ head: StoredHead, at date: Date) async -> CommitResult {
        let body = state.withLock { state -> Data? in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.body = Data() }
            // Data that grew in steps has excess capacity.
            guard state.writes > 1, length == nil else { return state.body }
            return state.body.withUnsafeBytes { Data($0) }
        }
        guard let body, head.key == key else {
            discard()
            return .refused
        }
        let result = store.insert(body, head, from: self, at: date)
        if result != .stored { discard() }
        return result
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
