/// Lists of slots, each of which is in one list at most: first in, first out, and out of the middle.
///
/// The links stand in one array for all lists, so that a list costs no allocation of its own.
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

    /// The slot behind another one of the same list.
    func next(after slot: Int) -> Int? { links[slot].next }

    /// Adds a slot at the end of a list; it is in none.
    mutating func append(_ slot: Int, to chain: inout Chain) {
        while links.count <= slot { links.append(Links()) }
        links[slot] = Links(previous: chain.last)
        if let last = chain.last { links[last].next = slot } else { chain.first = slot }
        chain.last = slot
        chain.count += 1
    }

    /// Takes a slot out of the list that it is in.
    mutating func remove(_ slot: Int, from chain: inout Chain) {
        let (previous, next) = (links[slot].previous, links[slot].next)
        if let previous { links[previous].next = next } else { chain.first = next }
        if let next { links[next].previous = previous } else { chain.last = previous }
        links[slot] = Links()
        chain.count -= 1
    }
}
