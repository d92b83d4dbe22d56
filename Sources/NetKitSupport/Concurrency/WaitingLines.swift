/// First-in, first-out queues that can remove any element in constant time.
struct WaitingLines<Element> {
    /// A queue, whose elements are stored in its ``WaitingLines``.
    struct Line {
        fileprivate var first: Int?
        fileprivate var last: Int?

        var isEmpty: Bool { first == nil }
    }

    /// An identifier of an element, valid while it is in its queue.
    struct Place: Equatable, Sendable {
        fileprivate let index: Int
        /// The number of earlier elements, in all queues.
        fileprivate let number: UInt64
    }

    private struct Node {
        var number: UInt64
        /// The element, or nil for a free node.
        var element: Element?
        var previous: Int?
        var next: Int?
    }

    /// The maximum number of nodes to keep when all queues are empty.
    private static var keptNodes: Int { 1024 }

    private var nodes: [Node] = []
    private var freeNodes: [Int] = []
    private var lastNumber: UInt64 = 0

    /// The number of elements in all queues.
    var count: Int { nodes.count - freeNodes.count }

    /// Adds an element at the end of a queue.
    mutating func append(_ element: Element, to line: inout Line) -> Place {
        lastNumber += 1
        let node = Node(number: lastNumber, element: element, previous: line.last, next: nil)
        let index: Int
        if let free = freeNodes.popLast() {
            index = free
            nodes[index] = node
        } else {
            index = nodes.count
            nodes.append(node)
        }
        if let last = line.last { nodes[last].next = index } else { line.first = index }
        line.last = index
        return Place(index: index, number: lastNumber)
    }

    /// Returns the number of a queue's first element, or nil if it is empty.
    func firstNumber(of line: Line) -> UInt64? {
        line.first.map { nodes[$0].number }
    }

    /// Removes the first element of a queue.
    mutating func popFirst(of line: inout Line) -> Element? {
        line.first.flatMap { remove(at: $0, from: &line) }
    }

    /// Removes an element from its queue.
    ///
    /// - Returns: The element, or nil if it was already removed.
    mutating func remove(_ place: Place, from line: inout Line) -> Element? {
        guard place.index < nodes.count, nodes[place.index].number == place.number else {
            return nil
        }
        return remove(at: place.index, from: &line)
    }

    private mutating func remove(at index: Int, from line: inout Line) -> Element? {
        let node = nodes[index]
        guard let element = node.element else { return nil }
        if let next = node.next {
            nodes[next].previous = node.previous
        } else {
            line.last = node.previous
        }
        if let previous = node.previous {
            nodes[previous].next = node.next
        } else {
            line.first = node.next
        }
        nodes[index].element = nil
        freeNodes.append(index)
        if count == 0, nodes.count > Self.keptNodes { (nodes, freeNodes) = ([], []) }
        return element
    }
}
