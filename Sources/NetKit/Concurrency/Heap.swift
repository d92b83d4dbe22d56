/// A priority queue whose elements can be moved and removed by handle, each in logarithmic time.
struct Heap<Key: Comparable, Element> {
    /// Names an element for as long as it is in the heap.
    struct Handle: Equatable, Sendable {
        fileprivate let slot: Int
        /// Differs for each element, so that a handle never names the next one in its slot.
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
        /// Nil for a free slot.
        var element: Element?
    }

    /// The most slots that an empty heap keeps.
    private static var keptSlots: Int { 1024 }

    /// Each node's key is at most those of the nodes at 2i + 1 and 2i + 2.
    private var nodes: [Node] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var lastNumber: UInt64 = 0

    /// The number of elements.
    var count: Int { nodes.count }

    var isEmpty: Bool { nodes.isEmpty }

    /// The smallest key.
    var firstKey: Key? { nodes.first?.key }

    /// The element with the smallest key; any of them where several have it.
    var first: Element? { nodes.first.flatMap { slots[$0.slot].element } }

    /// Adds an element.
    ///
    /// - Returns: A handle to move or remove it with.
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

    /// Gives an element another key; a handle whose element is gone changes nothing.
    ///
    /// - Returns: Whether the element was there.
    @discardableResult
    mutating func move(_ handle: Handle, to key: Key) -> Bool {
        guard let position = position(of: handle) else { return false }
        nodes[position].key = key
        settle(position)
        return true
    }

    /// Removes an element.
    ///
    /// - Returns: The element, nil if it was gone.
    @discardableResult
    mutating func remove(_ handle: Handle) -> Element? {
        position(of: handle).flatMap { remove(at: $0) }
    }

    /// Removes the element with the smallest key.
    @discardableResult
    mutating func popFirst() -> Element? {
        nodes.isEmpty ? nil : remove(at: 0)
    }

    /// The elements whose keys are at most `limit`, in the order of their keys; looks at few others.
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

    /// Moves a node towards the front, as far as its key says.
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

    /// Moves a node towards the back, as far as its key says.
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
