import NetKitSupport

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
        fileprivate let place: WaitingLines<Element>.Place
    }

    private struct Host {
        var inUse = 0
        var line = WaitingLines<Element>.Line()

        mutating func take(
            _ limit: Int,
            _ element: Element,
            in waiting: inout WaitingLines<Element>
        ) -> WaitingLines<Element>.Place? {
            guard inUse >= limit else {
                inUse += 1
                return nil
            }
            return waiting.append(element, to: &line)
        }
    }

    private var hosts: [Key: Host] = [:]
    private var waiting = WaitingLines<Element>()

    /// Whether no connection is in use or waited for.
    var isEmpty: Bool { waiting.count == 0 && hosts.values.allSatisfy { $0.inUse == 0 } }

    /// Takes a free connection or a position in the queue.
    ///
    /// - Parameters:
    ///   - key: The destination of the connection.
    ///   - limit: The maximum number of connections, at least 1.
    ///   - element: The element to queue.
    /// - Returns: Nil if the caller now has a connection, or else the position in the queue.
    mutating func take(_ key: Key, limit: Int, orWait element: Element) -> Ticket? {
        hosts[key, default: Host()].take(max(1, limit), element, in: &waiting)
            .map { Ticket(key: key, place: $0) }
    }

    /// Leaves the queue.
    ///
    /// - Parameter ticket: The position in the queue.
    /// - Returns: Whether it was still queued. If not, it has a connection and must return it.
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard let index = hosts.index(forKey: ticket.key) else { return false }
        return waiting.remove(ticket.place, from: &hosts.values[index].line) != nil
    }

    /// Returns a connection.
    ///
    /// - Parameter key: The destination of the connection.
    /// - Returns: The next element, which now has the connection, or nil if the queue is empty.
    mutating func give(back key: Key) -> Element? {
        guard let index = hosts.index(forKey: key) else { return nil }
        if let next = waiting.popFirst(of: &hosts.values[index].line) { return next }
        hosts.values[index].inUse -= 1
        // Keeps an idle host for the next request, up to 256 hosts.
        if hosts.count > 256, hosts.values[index].inUse == 0 { hosts.remove(at: index) }
        return nil
    }
}
