import NetKit

/// A key for looking up entries in a ``CacheIndex``.
protocol CacheIndexKey: Hashable, Sendable {
    associatedtype URLPart: Hashable, Sendable

    /// The part that the keys of one URL have in common.
    var url: URLPart { get }
}

extension CacheKey: CacheIndexKey {}

/// An index of a store's entries, with their sizes and order of use.
///
/// The cost of an operation depends only on the entries that it names or removes.
struct CacheIndex<Key: CacheIndexKey, Value> {
    private struct Entry {
        let key: Key
        var value: Value
        var size: Int
    }

    /// The maximum number of entries per key.
    ///
    /// The oldest is evicted.
    static var maximumVariants: Int { 16 }
    /// The number of entries that always have room.
    private static var minimumCount: Int { 1_024 }

    /// The maximum number of bytes, including reserved ones.
    private(set) var capacity: Int
    /// The number of bytes for which there may be one entry, however small it is.
    private let block: Int
    /// The number of bytes of all entries.
    private(set) var bytes = 0
    /// The number of bytes reserved for entries being written.
    private(set) var reserved = 0
    /// The number of evicted entries.
    private(set) var evictions = 0

    private var entries: [Entry?] = []
    private var free: [Int] = []
    /// All entries, with the most recently used last.
    private var recency = SlotChains()
    private var used = SlotChains.Chain()
    /// The entries of each key, with the newest last.
    private var variants = SlotChains()
    private var keys: [Key: SlotChains.Chain] = [:]
    /// The entries of each URL.
    private var siblings = SlotChains()
    private var urls: [Key.URLPart: SlotChains.Chain] = [:]

    /// Creates an empty index.
    init(capacity: Int, block: Int = 1) {
        self.capacity = Self.bounded(capacity)
        self.block = block
    }

    /// Bounds the capacity, so that sums of sizes never overflow.
    private static func bounded(_ capacity: Int) -> Int { min(max(capacity, 0), Int.max / 4) }

    var isEmpty: Bool { used.count == 0 }

    func has(_ key: Key) -> Bool { keys[key] != nil }

    /// The value in a slot, or nil for a free slot.
    subscript(slot: Int) -> Value? {
        get { entries.indices.contains(slot) ? entries[slot]?.value : nil }
        set {
            guard let newValue, entries.indices.contains(slot) else { return }
            entries[slot]?.value = newValue
        }
    }

    /// Returns the oldest slot of a key that meets a condition.
    func slot(of key: Key, where holds: (Value) -> Bool) -> Int? {
        var next = keys[key]?.first
        while let slot = next {
            if let entry = entries[slot], holds(entry.value) { return slot }
            next = variants.next(after: slot)
        }
        return nil
    }

    /// Calls `body` with each entry of a key, the newest last.
    func forEach(of key: Key, _ body: (_ slot: Int, _ value: Value) -> Void) {
        var next = keys[key]?.first
        while let slot = next {
            if let entry = entries[slot] { body(slot, entry.value) }
            next = variants.next(after: slot)
        }
    }

    /// Marks an entry as used.
    mutating func use(_ slot: Int) {
        guard used.last != slot else { return }
        recency.remove(slot, from: &used)
        recency.append(slot, to: &used)
    }

    /// Inserts an entry and marks it as used.
    ///
    /// - Returns: The evicted values.
    mutating func insert(_ value: Value, for key: Key, size: Int) -> [Value] {
        let slot = free.popLast() ?? entries.count
        if slot == entries.count { entries.append(nil) }
        entries[slot] = Entry(key: key, value: value, size: size)
        bytes += size
        recency.append(slot, to: &used)
        variants.append(slot, to: &keys[key, default: SlotChains.Chain()])
        siblings.append(slot, to: &urls[key.url, default: SlotChains.Chain()])
        var removed: [Value] = []
        if let chain = keys[key], chain.count > Self.maximumVariants, let oldest = chain.first {
            evict(oldest, into: &removed)
        }
        makeRoom(into: &removed)
        return removed
    }

    /// Updates the size of an entry.
    ///
    /// - Returns: The evicted values.
    mutating func resize(_ slot: Int, to size: Int) -> [Value] {
        bytes += size - (entries[slot]?.size ?? size)
        entries[slot]?.size = size
        var removed: [Value] = []
        makeRoom(into: &removed)
        return removed
    }

    /// Sets the capacity.
    ///
    /// - Returns: The evicted values.
    mutating func resize(capacity: Int) -> [Value] {
        self.capacity = Self.bounded(capacity)
        var removed: [Value] = []
        makeRoom(into: &removed)
        return removed
    }

    /// Reserves bytes for an entry being written.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The evicted values, or nil if there isn't enough room.
    mutating func reserve(_ count: Int) -> [Value]? {
        guard count <= capacity - reserved else { return nil }
        reserved += count
        var removed: [Value] = []
        makeRoom(into: &removed)
        return removed
    }

    /// Releases reserved bytes.
    mutating func release(_ count: Int) {
        reserved -= count
    }

    private mutating func makeRoom(into removed: inout [Value]) {
        let count = max(Self.minimumCount, capacity / block)
        while bytes > capacity - reserved || used.count > count, let oldest = used.first {
            evict(oldest, into: &removed)
        }
    }

    private mutating func evict(_ slot: Int, into removed: inout [Value]) {
        evictions += 1
        if let value = remove(slot) { removed.append(value) }
    }

    /// Removes an entry.
    ///
    /// - Parameter slot: The slot of the entry.
    /// - Returns: The value, or nil if the slot is free.
    @discardableResult
    mutating func remove(_ slot: Int) -> Value? {
        guard entries.indices.contains(slot), let entry = entries[slot] else { return nil }
        entries[slot] = nil
        free.append(slot)
        bytes -= entry.size
        recency.remove(slot, from: &used)
        remove(slot, from: &variants, &keys, entry.key)
        remove(slot, from: &siblings, &urls, entry.key.url)
        return entry.value
    }

    private func remove<Name: Hashable>(
        _ slot: Int,
        from chains: inout SlotChains,
        _ table: inout [Name: SlotChains.Chain],
        _ name: Name
    ) {
        guard var chain = table[name] else { return }
        chains.remove(slot, from: &chain)
        table[name] = chain.count > 0 ? chain : nil
    }

    /// Removes all entries of a URL, whatever their keys.
    mutating func removeAll(of url: Key.URLPart) -> [Value] {
        var removed: [Value] = []
        while let slot = urls[url]?.first {
            if let value = remove(slot) { removed.append(value) }
        }
        return removed
    }

    /// Removes all entries but keeps reservations.
    mutating func removeAll() -> [Value] {
        var removed: [Value] = []
        while let slot = used.first {
            if let value = remove(slot) { removed.append(value) }
        }
        return removed
    }
}

/// Linked lists of slots, where each slot is in at most one list.
///
/// All lists share one array of links, so that a list needs no allocation.
struct SlotChains {
    /// One of the lists.
    struct Chain {
        fileprivate(set) var first: Int?
        fileprivate(set) var last: Int?
        fileprivate(set) var count = 0
    }

    private struct Links {
        var previous: Int?
        var next: Int?
    }

    private var links: [Links] = []

    /// Returns the slot after another one in the same list.
    func next(after slot: Int) -> Int? { links[slot].next }

    /// Appends a slot that isn't in any list.
    mutating func append(_ slot: Int, to chain: inout Chain) {
        while links.count <= slot { links.append(Links()) }
        links[slot] = Links(previous: chain.last)
        if let last = chain.last { links[last].next = slot } else { chain.first = slot }
        chain.last = slot
        chain.count += 1
    }

    /// Removes a slot from its list.
    mutating func remove(_ slot: Int, from chain: inout Chain) {
        let (previous, next) = (links[slot].previous, links[slot].next)
        if let previous { links[previous].next = next } else { chain.first = next }
        if let next { links[next].previous = previous } else { chain.last = previous }
        links[slot] = Links()
        chain.count -= 1
    }
}
