internal import NIOCore
internal import NetKit

/// Where a connection leads, and for what.
struct ConnectionKey: Hashable, Sendable {
    let isSecure: Bool
    let host: String
    let port: Int
    /// Each kind of exchange is counted for itself, and calls alone are limited: the endpoint limits the others.
    var kind = ExchangeKind.call

    /// The same for calls, which has the same connections.
    var ofCalls: ConnectionKey { ConnectionKey(isSecure: isSecure, host: host, port: port) }
}

/// Who may be under way to a host now, and who waits for it, first come first served.
///
/// AsyncHTTPClient has such a queue as well, but gives no sign of when a request leaves it, and the
/// time spent there is not to count as silence. It knows as well on which event loops connections are
/// idle: a request that runs on another one costs a change of threads for each of its events.
struct ConnectionQueue<Element: Sendable>: Sendable {
    /// Names a place in the queue.
    struct Ticket: Hashable, Sendable {
        fileprivate let key: ConnectionKey
        fileprivate let number: UInt64
    }

    /// What became of a request for a place.
    enum Place: Sendable {
        /// There is one, and a connection may be idle on this loop; nil if none is.
        case free(on: (any EventLoop)?)
        case queued(Ticket)
    }

    /// How many requests may be under way to one host.
    struct Limits: Sendable {
        /// With HTTP/1.1, and as long as nothing is known of the host's version.
        var http1: Int
        /// With HTTP/2.
        var http2: Int
    }

    private struct Line: Sendable {
        /// Whether requests wait for a place.
        let isLimited: Bool
        var inUse = 0
        /// Whether the last answer had HTTP/2.
        var speaksHTTP2 = false
        /// Where connections became idle, the last one last.
        var idle: [any EventLoop] = []
        var waiting: [UInt64: Element] = [:]
        /// The order of `waiting`; a number that left early is skipped when its turn comes.
        var order: ArraySlice<UInt64> = []

        func isOpen(_ limits: Limits) -> Bool {
            !isLimited || inUse < max(1, speaksHTTP2 ? limits.http2 : limits.http1)
        }

        /// Who has a place now, if there is one and somebody waits.
        mutating func next(_ limits: Limits) -> Element? {
            guard isOpen(limits), let element = first() else { return nil }
            inUse += 1
            return element
        }

        private mutating func first() -> Element? {
            while let number = order.popFirst() {
                if let element = waiting.removeValue(forKey: number) { return element }
            }
            return nil
        }
    }

    private let limits: Limits
    private var lines: [ConnectionKey: Line] = [:]
    private var lastNumber: UInt64 = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Takes a place among those under way if one is free, or else one in the queue.
    ///
    /// - Parameters:
    ///   - key: Where the connection leads.
    ///   - element: Who waits.
    /// - Returns: Which place it is.
    mutating func take(_ key: ConnectionKey, orWait element: Element) -> Place {
        lastNumber += 1
        let number = lastNumber
        let limits = limits
        return change(key) { line in
            if line.isOpen(limits) {
                line.inUse += 1
                return .free(on: line.idle.popLast())
            }
            line.waiting[number] = element
            line.order.append(number)
            return .queued(Ticket(key: key, number: number))
        }
    }

    /// Learns which version of HTTP a host speaks.
    ///
    /// - Parameters:
    ///   - key: Where the connection leads.
    ///   - isHTTP2: Whether it is HTTP/2.
    /// - Returns: Who need not wait any more.
    mutating func learn(_ key: ConnectionKey, isHTTP2: Bool) -> [Element] {
        guard let line = lines[key], line.speaksHTTP2 != isHTTP2 else { return [] }
        let limits = limits
        return change(key) { line in
            line.speaksHTTP2 = isHTTP2
            var admitted: [Element] = []
            while let next = line.next(limits) { admitted.append(next) }
            return admitted
        }
    }

    private mutating func change<Result>(
        _ key: ConnectionKey,
        _ change: (inout Line) -> Result
    ) -> Result {
        change(&lines[key, default: Line(isLimited: key.kind == .call)])
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
    /// - Parameters:
    ///   - key: Where the connection leads.
    ///   - loop: Where it is.
    /// - Returns: Who has it now, nil if nobody waited.
    mutating func give(back key: ConnectionKey, on loop: any EventLoop) -> Element? {
        let limits = limits
        let next = change(key) { line -> Element? in
            line.inUse -= 1
            if let next = line.next(limits) { return next }
            line.idle.append(loop)
            return nil
        }
        if let next { return next }
        // A line nobody stands in is kept for the next request, unless there are very many.
        if lines.count > 256, lines[key]?.inUse == 0 { lines[key] = nil }
        return nil
    }
}
