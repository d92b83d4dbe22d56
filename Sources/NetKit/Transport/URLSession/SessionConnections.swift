/// Tracks each host's connections in use, and the queue for them.
///
/// The queue is first come, first served.
///
/// URLSession has such a queue too, but it doesn't report when a task leaves the queue. Its timeout also runs while a
/// task is queued. Therefore URLSession gets a task only when there is a free connection.
struct SessionConnections<Key: Hashable & Sendable, Element> {
    /// Identifies a position in the queue.
    struct Ticket: Equatable, Sendable {
        fileprivate let key: Key
        fileprivate let number: UInt64
    }

    private struct Line {
        var inUse = 0
        var waiting: [UInt64: Element] = [:]
        /// The order of `waiting`.
        ///
        /// Numbers that left early are skipped.
        var order: ArraySlice<UInt64> = []

        mutating func take(_ limit: Int, _ number: UInt64, _ element: Element) -> Bool {
            guard inUse >= limit else {
                inUse += 1
                return true
            }
            waiting[number] = element
            order.append(number)
            return false
        }

        mutating func give() -> Element? {
            while let number = order.popFirst() {
                if let next = waiting.removeValue(forKey: number) { return next }
            }
            inUse -= 1
            return nil
        }
    }

    private var lines: [Key: Line] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether no connection is in use or waited for.
    var isEmpty: Bool { lines.values.allSatisfy { $0.inUse == 0 && $0.waiting.isEmpty } }

    /// Takes a free connection or a position in the queue.
    ///
    /// - Parameters:
    ///   - key: The destination of the connection.
    ///   - limit: The maximum number of connections, at least 1.
    ///   - element: The element to queue.
    /// - Returns: Nil if the caller now has a connection, or else the position in the queue.
    mutating func take(_ key: Key, limit: Int, orWait element: Element) -> Ticket? {
        lastNumber += 1
        let isFree = lines[key, default: Line()].take(max(1, limit), lastNumber, element)
        return isFree ? nil : Ticket(key: key, number: lastNumber)
    }

    /// Leaves the queue.
    ///
    /// - Parameter ticket: The position in the queue.
    /// - Returns: Whether it was still queued. If not, it has a connection and must return it.
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard lines[ticket.key]?.waiting.removeValue(forKey: ticket.number) != nil else {
            return false
        }
        compact(ticket.key)
        return true
    }

    /// Returns a connection.
    ///
    /// - Parameter key: The destination of the connection.
    /// - Returns: The next element, which now has the connection, or nil if the queue is empty.
    mutating func give(back key: Key) -> Element? {
        guard let index = lines.index(forKey: key) else { return nil }
        if let next = lines.values[index].give() { return next }
        // Keeps an idle line for the next request, up to 256 lines.
        if lines.count > 256, lines.values[index].inUse == 0 { lines.remove(at: index) }
        return nil
    }

    private mutating func compact(_ key: Key) {
        guard let line = lines[key], line.order.count > 64,
            line.order.count > 2 * line.waiting.count
        else { return }
        lines[key]?.order = line.order.filter { line.waiting[$0] != nil }[...]
    }
}
