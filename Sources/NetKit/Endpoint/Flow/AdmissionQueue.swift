/// Who may be sent now, and who waits: for a place of the endpoint's, for one of the host's, or for a host
/// that wants to be left alone.
///
/// A pure value; times are nanoseconds.
struct AdmissionQueue<Element> {
    /// How many requests may be under way.
    struct Limits: Hashable, Sendable {
        var total: Int
        var perHost: Int
    }

    /// Names a place in the queue.
    typealias Ticket = Int

    private struct Entry {
        let ticket: Ticket
        let origin: Origin
        let element: Element
    }

    /// How far apart those are released that waited for a host.
    private static var stagger: UInt64 { 20_000_000 }

    private var inUse = 0
    private var inUseByHost: [Origin: Int] = [:]
    /// Those who wait, by priority, each in the order in which they came.
    private var waiting: [[Entry]] = Array(repeating: [], count: RequestPriority.allCases.count)
    /// Hosts that want to be left alone, and when they may be asked again.
    private var pauses: [Origin: UInt64] = [:]
    private var lastTicket = 0
    private var admissions = 0

    /// Whether nobody is under way or waits.
    var isEmpty: Bool { inUse == 0 && isNobodyWaiting }

    // A closure, as a key path is made anew each time, which costs more than all else here.
    private var isNobodyWaiting: Bool { waiting.allSatisfy { $0.isEmpty } }

    /// Somebody wants to send a request.
    ///
    /// - Returns: Nil if it may go at once, else its place in the queue; then see whom ``admit(at:_:)`` lets go.
    mutating func enter(
        _ element: Element,
        to origin: Origin,
        priority: RequestPriority,
        at now: UInt64,
        _ limits: Limits
    ) -> Ticket? {
        if isNobodyWaiting, isOpen(origin, at: now, limits) {
            take(origin, at: now)
            return nil
        }
        lastTicket += 1
        let entry = Entry(ticket: lastTicket, origin: origin, element: element)
        waiting[priority.rawValue].append(entry)
        return lastTicket
    }

    /// Somebody who was under way has ended.
    mutating func leave(_ origin: Origin) {
        inUse -= 1
        let left = (inUseByHost[origin] ?? 1) - 1
        inUseByHost[origin] = left > 0 ? left : nil
    }

    /// Somebody does not want to wait any more.
    ///
    /// - Returns: False if it has been admitted, and has to leave.
    mutating func cancel(_ ticket: Ticket) -> Bool {
        for index in waiting.indices {
            guard let place = waiting[index].firstIndex(where: { $0.ticket == ticket }) else {
                continue
            }
            waiting[index].remove(at: place)
            return true
        }
        return false
    }

    /// A host wants to be left alone until `time`; never shortens what it said before.
    mutating func pause(_ origin: Origin, until time: UInt64) {
        pauses[origin] = max(pauses[origin] ?? 0, time)
    }

    /// Those who may go now, in order.
    mutating func admit(at now: UInt64, _ limits: Limits) -> [Element] {
        guard !isNobodyWaiting else { return [] }
        var admitted: [Element] = []
        while let (index, place) = nextPlace(at: now, limits) {
            let entry = waiting[index].remove(at: place)
            take(entry.origin, at: now)
            admissions += 1
            admitted.append(entry.element)
        }
        return admitted
    }

    /// When to ``admit(at:_:)`` again though nobody has left; nil if that is of no use.
    func nextOpening(after now: UInt64) -> UInt64? {
        guard !pauses.isEmpty else { return nil }
        let hosts = Set(waiting.joined().map(\.origin))
        return pauses.filter { hosts.contains($0.key) && $0.value > now }.map(\.value).min()
    }

    private func nextPlace(at now: UInt64, _ limits: Limits) -> (priority: Int, place: Int)? {
        let first = waiting.indices.compactMap { index in
            waiting[index].firstIndex { isOpen($0.origin, at: now, limits) }.map { (index, $0) }
        }
        guard admissions % 4 == 3 else { return first.last }
        return first.min { waiting[$0.0][$0.1].ticket < waiting[$1.0][$1.1].ticket }
    }

    private func isOpen(_ origin: Origin, at now: UInt64, _ limits: Limits) -> Bool {
        inUse < max(1, limits.total) && inUseByHost[origin, default: 0] < max(1, limits.perHost)
            && pauses[origin].map { $0 <= now } ?? true
    }

    private mutating func take(_ origin: Origin, at now: UInt64) {
        inUse += 1
        inUseByHost[origin, default: 0] += 1
        guard pauses[origin] != nil else { return }
        // Those who waited for a host come back one after the other.
        let isWaitedFor = waiting.joined().contains { $0.origin == origin }
        pauses[origin] = isWaitedFor ? now &+ Self.stagger : nil
    }
}
