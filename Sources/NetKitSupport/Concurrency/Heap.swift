/// A priority queue that moves and removes elements by handle in logarithmic time.
struct Heap<Key: Comparable, Element> {
    /// An identifier of an element, valid while it is in the heap.
    struct Handle: Equatable, Sendable {
        fileprivate let slot: Int
        /// A unique number, so that a handle doesn't match a later element in its slot.
        fileprivate let number: UInt64
    }

    private struct Node {
        var key: Key
        let slot: Int
    }

    private struct Slot {
        var number: UInt64
        /// The index of the element's node.
        var position: Int
        /// The element, or nil for a free slot.
        var element: Element?
    }

    /// The maximum number of slots that an empty heap keeps.
    private static var keptSlots: Int { 1024 }

    /// The nodes.
    ///
    /// Each key is at most those of the nodes at 2i + 1 and 2i + 2.
    private var nodes: [Node] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var lastNumber: UInt64 = 0

    var count: Int { nodes.count }

    var isEmpty: Bool { nodes.isEmpty }

    /// The smallest key.
    var firstKey: Key? { nodes.first?.key }

    /// An element with the smallest key.
    var first: Element? { nodes.first.flatMap { slots[$0.slot].element } }

    /// Adds an element.
    ///
    /// - Returns: A handle to move or remove the element.
    mutating func insert(_ element: Element, at key: Key) -> Handle {
        lastNumber += 1
        let slot = Slot(number: lastNumber, position: nodes.count, element: element)
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
            slots[index] = slot
        } else {
            index = slots.count
            slots.append(slot)
        }
        nodes.append(Node(key: key, slot: index))
        raise(nodes.count - 1)
        return Handle(slot: index, number: lastNumber)
    }

    /// Changes the key of an element.
    ///
    /// Does nothing if the element was removed.
    ///
    /// - Returns: Whether the element is in the heap.
    @discardableResult
    mutating func move(_ handle: Handle, to key: Key) -> Bool {
        guard let position = position(of: handle) else { return false }
        nodes[position].key = key
        settle(position)
        return true
    }

    /// Removes an element.
    ///
    /// - Returns: The element, or nil if it was already removed.
    @discardableResult
    mutating func remove(_ handle: Handle) -> Element? {
        position(of: handle).flatMap { remove(at: $0) }
    }

    @discardableResult
    mutating func popFirst() -> Element? {
        nodes.isEmpty ? nil : remove(at: 0)
    }

    /// Returns the elements with keys up to `limit`, sorted by key.
    func elements(through limit: Key) -> [(handle: Handle, element: Element)] {
        var found: [Node] = []
        var positions = [0]
        while let position = positions.popLast() {
            guard position < nodes.count, nodes[position].key <= limit else { continue }
            found.append(nodes[position])
            positions += [2 * position + 2, 2 * position + 1]
        }
        return found.sorted { $0.key < $1.key }
            .compactMap { node in
                let slot = slots[node.slot]
                let handle = Handle(slot: node.slot, number: slot.number)
                return slot.element.map { (handle, $0) }
            }
    }

    private func position(of handle: Handle) -> Int? {
        guard handle.slot < slots.count, slots[handle.slot].number == handle.number,
            slots[handle.slot].element != nil
        else { return nil }
        return slots[handle.slot].position
    }

    private mutating func remove(at position: Int) -> Element? {
        let slot = nodes[position].slot
        let last = nodes.removeLast()
        if position < nodes.count {
            place(last, at: position)
            settle(position)
        }
        defer { free(slot) }
        return slots[slot].element
    }

    private mutating func free(_ slot: Int) {
        slots[slot].element = nil
        freeSlots.append(slot)
        guard nodes.isEmpty, slots.count > Self.keptSlots else { return }
        (nodes, slots, freeSlots) = ([], [], [])
    }

    private mutating func settle(_ position: Int) {
        if !raise(position) { lower(position) }
    }

    /// Moves a node toward the front until its key is in order.
    @discardableResult
    private mutating func raise(_ position: Int) -> Bool {
        var position = position
        let node = nodes[position]
        var isMoved = false
        while position > 0 {
            let parent = (position - 1) / 2
            guard node.key < nodes[parent].key else { break }
            place(nodes[parent], at: position)
            position = parent
            isMoved = true
        }
        if isMoved { place(node, at: position) }
        return isMoved
    }

    /// Moves a node toward the back until its key is in order.
    private mutating func lower(_ position: Int) {
        var position = position
        let node = nodes[position]
        while 2 * position + 1 < nodes.count {
            var child = 2 * position + 1
            if child + 1 < nodes.count, nodes[child + 1].key < nodes[child].key { child += 1 }
            guard nodes[child].key < node.key else { break }
            place(nodes[child], at: position)
            position = child
        }
        place(node, at: position)
    }

    private mutating func place(_ node: Node, at position: Int) {
        nodes[position] = node
        slots[node.slot].position = position
    }
}
