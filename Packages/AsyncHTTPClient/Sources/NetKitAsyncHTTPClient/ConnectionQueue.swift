internal import NIOCore
internal import NetKit

/// The destination and the purpose of a connection.
struct ConnectionKey: Hashable, Sendable {
    let isSecure: Bool
    let host: String
    let port: Int
    /// The kind of exchange.
    ///
    /// Each kind has its own count.
    ///
    /// Only calls are limited here. The endpoint limits the other kinds.
    var kind = ExchangeKind.call

    /// The key for calls, which share the connections.
    var ofCalls: ConnectionKey { ConnectionKey(isSecure: isSecure, host: host, port: port) }
}

/// Limits the requests in flight per host and queues the others, first come, first served.
///
/// AsyncHTTPClient has such a queue too, but it doesn't report when a request leaves it, and queue time must not count
/// as idle time. This queue also knows the event loops of idle connections. A request on another loop would switch
/// threads for each event.
struct ConnectionQueue<Element: Sendable>: Sendable {
    /// Identifies a position in the queue.
    struct Ticket: Hashable, Sendable {
        fileprivate let key: ConnectionKey
        fileprivate let number: UInt64
    }

    /// The result of requesting a connection.
    enum Place: Sendable {
        /// A connection is free, and may be idle on this loop.
        ///
        /// Nil if no connection is idle.
        case free(on: (any EventLoop)?)
        case queued(Ticket)
    }

    /// The limits on requests in flight to one host.
    struct Limits: Sendable {
        /// The limit for HTTP/1.1 and for hosts of unknown version.
        var http1: Int
        /// The limit for HTTP/2.
        var http2: Int
    }

    private struct Line: Sendable {
        /// Whether requests are limited and queued.
        let isLimited: Bool
        var inUse = 0
        /// The number of requests in flight whose head was sent.
        var sent = 0
        /// The number of responses.
        var answers = 0
        /// Whether the last response used HTTP/2.
        var speaksHTTP2 = false
        /// The event loops of idle connections, with the latest last.
        var idle: [any EventLoop] = []
        var waiting: [UInt64: Element] = [:]
        /// The order of `waiting`.
        ///
        /// Numbers that left early are skipped.
        var order: ArraySlice<UInt64> = []

        func isOpen(_ limits: Limits) -> Bool {
            !isLimited || inUse < max(1, speaksHTTP2 ? limits.http2 : limits.http1)
        }

        /// Returns the next element, which is now in flight, or nil if none can start.
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

    /// The number of event loops that are noted for idle connections.
    var idleCount: Int { lines.values.reduce(0) { $0 + $1.idle.count } }

    /// Takes a free connection or a position in the queue.
    ///
    /// - Parameters:
    ///   - key: The destination of the connection.
    ///   - element: The element to queue.
    /// - Returns: The connection or the position.
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

    /// Records the HTTP version of a host, and that it has answered a request.
    ///
    /// - Parameters:
    ///   - key: The destination of the connection.
    ///   - isHTTP2: Whether the host uses HTTP/2.
    /// - Returns: The queued elements that may start now.
    mutating func learn(_ key: ConnectionKey, isHTTP2: Bool) -> [Element] {
        lines[key]?.answers &+= 1
        guard let line = lines[key], line.speaksHTTP2 != isHTTP2 else { return [] }
        let limits = limits
        return change(key) { line in
            line.speaksHTTP2 = isHTTP2
            var admitted: [Element] = []
            while let next = line.next(limits) { admitted.append(next) }
            return admitted
        }
    }

    /// The number of responses from a host while a request to it is in flight.
    func answers(from key: ConnectionKey) -> Int { lines[key]?.answers ?? 0 }

    /// Counts a request in flight as sent, or as not sent any more.
    mutating func note(_ key: ConnectionKey, isSent: Bool) {
        lines[key]?.sent += isSent ? 1 : -1
    }

    /// Whether requests are on their way to a host that may speak HTTP/2, so that another one may wait for a stream.
    func isBusy(_ key: ConnectionKey) -> Bool {
        // Without TLS, nothing negotiates HTTP/2.
        guard key.isSecure else { return false }
        let lines = ExchangeKind.allCases.compactMap { kind in
            var key = key
            key.kind = kind
            return self.lines[key]
        }
        return lines.contains { $0.sent > 0 }
            && (lines.contains { $0.speaksHTTP2 } || lines.allSatisfy { $0.answers == 0 })
    }

    private mutating func change<Result>(
        _ key: ConnectionKey,
        _ change: (inout Line) -> Result
    ) -> Result {
        change(&lines[key, default: Line(isLimited: key.kind == .call)])
    }

    /// Leaves the queue.
    ///
    /// - Parameter ticket: The position in the queue.
    /// - Returns: Whether it was still queued. If not, it is in flight and must return its connection.
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard lines[ticket.key]?.waiting.removeValue(forKey: ticket.number) != nil else {
            return false
        }
        // Many elements may leave before their turn.
        if let line = lines[ticket.key], line.order.count > 2 * line.waiting.count + 64 {
            lines[ticket.key]?.order.removeAll { line.waiting[$0] == nil }
        }
        return true
    }

    /// Returns a connection.
    ///
    /// - Parameters:
    ///   - key: The destination of the connection.
    ///   - wasSent: Whether the head of the request was sent, as noted. Defaults to false.
    ///   - loop: The event loop of the connection.
    /// - Returns: The next element, which is now in flight, or nil if the queue is empty.
    mutating func give(
        back key: ConnectionKey,
        wasSent: Bool = false,
        on loop: any EventLoop
    ) -> Element? {
        let limits = limits
        let next = change(key) { line -> Element? in
            line.inUse -= 1
            line.sent -= wasSent ? 1 : 0
            if let next = line.next(limits) { return next }
            // Requests that are admitted from the queue take none.
            if line.idle.count < 256 { line.idle.append(loop) }
            return nil
        }
        if let next { return next }
        // Keeps an idle line for the next request, up to 256 lines.
        if lines.count > 256, lines[key]?.inUse == 0 { lines[key] = nil }
        return nil
    }
}
