import NetKit

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
