/// Where a connection leads.
struct ConnectionKey: Hashable, Sendable {
    let isSecure: Bool
    let host: String
    let port: Int
}

/// Who may be under way to a host now, and who waits for it, first come first served.
///
/// AsyncHTTPClient has such a queue as well, but gives no sign of when a request leaves it, and the
/// time spent there is not to count as silence.
struct ConnectionQueue<Element: Sendable>: Sendable {
    /// Names a place in the queue.
    struct Ticket: Hashable, Sendable {
        fileprivate let key: ConnectionKey
        fileprivate let number: UInt64
    }

    private struct Line: Sendable {
        var inUse = 0
        var waiting: [UInt64: Element] = [:]
        /// The order of `waiting`; a number that left early is skipped when its turn comes.
        var order: ArraySlice<UInt64> = []

        mutating func next() -> Element? {
            while let number = order.popFirst() {
                if let element = waiting.removeValue(forKey: number) { return element }
            }
            return nil
        }
    }

    private var lines: [ConnectionKey: Line] = [:]
    private var lastNumber: UInt64 = 0

    /// Takes a place among those under way if one is free, or else one in the queue.
    ///
    /// - Parameters:
    ///   - key: Where the connection leads.
    ///   - limit: How many may be under way, at least one.
    ///   - element: Who waits.
    /// - Returns: Nil if there was a place, else the place in the queue.
    mutating func take(_ key: ConnectionKey, limit: Int, orWait element: Element) -> Ticket? {
        if lines[key, default: Line()].inUse < max(1, limit) {
            lines[key, default: Line()].inUse += 1
            return nil
        }
        lastNumber += 1
        lines[key]?.waiting[lastNumber] = element
        lines[key]?.order.append(lastNumber)
        return Ticket(key: key, number: lastNumber)
    }

    /// Leaves the queue.
    ///
    /// - Parameter ticket: The place in it.
    /// - Returns: Whether it was still waiting; if not, it is under way and has to give that back.
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard lines[ticket.key]?.waiting.removeValue(forKey: ticket.number) != nil else {
            return false
        }
        // Many may leave before any has its turn.
        if let line = lines[ticket.key], line.order.count > 2 * line.waiting.count + 64 {
            lines[ticket.key]?.order.removeAll { line.waiting[$0] == nil }
        }
        return true
    }

    /// Gives a place back.
    ///
    /// - Parameter key: Where the connection leads.
    /// - Returns: Who has it now, nil if nobody waited.
    mutating func give(back key: ConnectionKey) -> Element? {
        if let next = lines[key]?.next() { return next }
        lines[key]?.inUse -= 1
        // A line nobody stands in is kept for the next request, unless there are very many.
        if lines.count > 256, lines[key]?.inUse == 0 { lines[key] = nil }
        return nil
    }
}
