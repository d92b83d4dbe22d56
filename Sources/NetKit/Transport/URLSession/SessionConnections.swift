/// Who may use one of a host's connections now, and who waits for one, first come first served.
///
/// URLSession has such a queue as well, but gives no sign of when a task leaves it, and its own
/// timeout runs while a task waits there. So nothing is given to URLSession before there is room.
struct SessionConnections<Key: Hashable & Sendable, Element> {
    /// Names a place in the queue.
    struct Ticket: Equatable, Sendable {
        fileprivate let key: Key
        fileprivate let number: UInt64
    }

    private struct Line {
        var inUse = 0
        var waiting: [UInt64: Element] = [:]
        /// The order of `waiting`; numbers that left early are skipped when their turn comes.
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

    /// Whether nobody uses or waits for a connection.
    var isEmpty: Bool { lines.values.allSatisfy { $0.inUse == 0 && $0.waiting.isEmpty } }

    /// Takes a connection if one is free, or a place in the queue.
    ///
    /// - Parameters:
    ///   - key: Where the connection leads.
    ///   - limit: How many connections there may be, at least one.
    ///   - element: Who waits.
    /// - Returns: Nil if the connection is the caller's now, else the place in the queue.
    mutating func take(_ key: Key, limit: Int, orWait element: Element) -> Ticket? {
        lastNumber += 1
        let isFree = lines[key, default: Line()].take(max(1, limit), lastNumber, element)
        return isFree ? nil : Ticket(key: key, number: lastNumber)
    }

    /// Leaves the queue.
    ///
    /// - Parameter ticket: The place in it.
    /// - Returns: Whether it was still waiting; if not, it has a connection and has to give it back.
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard lines[ticket.key]?.waiting.removeValue(forKey: ticket.number) != nil else {
            return false
        }
        compact(ticket.key)
        return true
    }

    /// Gives a connection back.
    ///
    /// - Parameter key: Where the connection leads.
    /// - Returns: Who has it now, nil if nobody waited.
    mutating func give(back key: Key) -> Element? {
        guard let index = lines.index(forKey: key) else { return nil }
        if let next = lines.values[index].give() { return next }
        // An idle line is kept for the next request, unless there are very many.
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
