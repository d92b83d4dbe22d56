/// What a ``CacheIndex`` looks entries up by.
protocol CacheIndexKey: Hashable, Sendable {
    associatedtype URLPart: Hashable, Sendable

    /// What the keys of one URL have in common.
    var url: URLPart { get }
}

extension CacheKey: CacheIndexKey {}

/// The entries of a store: which there are, how many bytes they take up and which was used last.
///
/// Every operation takes as long as the entries that it names or removes, however many there are.
struct CacheIndex<Key: CacheIndexKey, Value> {
    private struct Entry {
        let key: Key
        var value: Value
        var size: Int
    }

    /// How many entries a key has at most; the oldest makes room.
    static var maximumVariants: Int { 16 }

    /// How many bytes there may be, those that are reserved included.
    private(set) var capacity: Int
    /// The bytes of all entries.
    private(set) var bytes = 0
    /// Bytes of what is yet to become entries.
    private(set) var reserved = 0
    /// How many entries had to make room.
    private(set) var evictions = 0

    private var entries: [Entry?] = []
    private var free: [Int] = []
    /// All entries, the one that was used last at the end.
    private var recency = SlotChains()
    private var used = SlotChains.Chain()
    /// The entries of each key, the newest at the end.
    private var variants = SlotChains()
    private var keys: [Key: SlotChains.Chain] = [:]
    /// The entries of each URL.
    private var siblings = SlotChains()
    private var urls: [Key.URLPart: SlotChains.Chain] = [:]

    /// Creates an index without entries.
    init(capacity: Int) {
        self.capacity = Self.bounded(capacity)
    }

    /// Sums of sizes never overflow.
    private static func bounded(_ capacity: Int) -> Int { min(max(capacity, 0), Int.max / 4) }

    var isEmpty: Bool { used.count == 0 }

    func has(_ key: Key) -> Bool { keys[key] != nil }

    /// The value in a slot; nil in a free one.
    subscript(slot: Int) -> Value? {
        get { entries.indices.contains(slot) ? entries[slot]?.value : nil }
        set {
            guard let newValue, entries.indices.contains(slot) else { return }
            entries[slot]?.value = newValue
        }
    }

    /// The oldest slot of a key for which a rule holds.
    func slot(of key: Key, where holds: (Value) -> Bool) -> Int? {
        var next = keys[key]?.first
        while let slot = next {
            if let entry = entries[slot], holds(entry.value) { return slot }
            next = variants.next(after: slot)
        }
        return nil
    }

    /// Calls `body` with every entry of a key, the newest last.
    func forEach(of key: Key, _ body: (_ slot: Int, _ value: Value) -> Void) {
        var next = keys[key]?.first
        while let slot = next {
            if let entry = entries[slot] { body(slot, entry.value) }
            next = variants.next(after: slot)
        }
    }

    /// Counts an entry as used.
    mutating func use(_ slot: Int) {
        guard used.last != slot else { return }
        recency.remove(slot, from: &used)
        recency.append(slot, to: &used)
    }

    /// Adds an entry, which counts as used.
    ///
    /// - Returns: What had to make room.
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

    /// Says how many bytes an entry has now.
    ///
    /// - Returns: What had to make room.
    mutating func resize(_ slot: Int, to size: Int) -> [Value] {
        bytes += size - (entries[slot]?.size ?? size)
        entries[slot]?.size = size
        var removed: [Value] = []
        makeRoom(into: &removed)
        return removed
    }

    /// Sets the capacity.
    ///
    /// - Returns: What had to make room.
    mutating func resize(capacity: Int) -> [Value] {
        self.capacity = Self.bounded(capacity)
        var removed: [Value] = []
        makeRoom(into: &removed)
        return removed
    }

    /// Makes room for bytes that are yet to become an entry.
    ///
    /// - Returns: What had to make room; nil if there is no room.
    mutating func reserve(_ count: Int) -> [Value]? {
        guard count <= capacity - reserved else { return nil }
        reserved += count
        var removed: [Value] = []
        makeRoom(into: &removed)
        return removed
    }

    /// Takes a reservation back.
    mutating func release(_ count: Int) {
        reserved -= count
    }

    private mutating func makeRoom(into removed: inout [Value]) {
        while bytes > capacity - reserved, let oldest = used.first {
            evict(oldest, into: &removed)
        }
    }

    private mutating func evict(_ slot: Int, into removed: inout [Value]) {
        evictions += 1
        if let value = remove(slot) { removed.append(value) }
    }

    /// Removes an entry.
    ///
    /// - Returns: Its value; nil if the slot is free.
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

    /// Removes every entry of a URL, whatever its key.
    mutating func removeAll(of url: Key.URLPart) -> [Value] {
        var removed: [Value] = []
        while let slot = urls[url]?.first {
            if let value = remove(slot) { removed.append(value) }
        }
        return removed
    }

    /// Removes every entry; what is reserved stays so.
    mutating func removeAll() -> [Value] {
        var removed: [Value] = []
        while let slot = used.first {
            if let value = remove(slot) { removed.append(value) }
        }
        return removed
    }
}
