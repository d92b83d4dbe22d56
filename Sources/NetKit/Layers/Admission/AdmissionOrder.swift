/// The queue of calls to any number of hosts: which may go now, and which wait.
///
/// A call waits while its limits are reached, in all or for its host, or while its host is paused. Of the calls
/// that may go, the one with the highest priority is first, and within a priority the oldest. Every fourth call
/// that leaves the queue is the oldest of all, whatever its priority, so that none waits for ever.
///
/// A pure value; times are nanoseconds. Each host has a line for each priority, and the oldest calls of the hosts
/// that may be called are in a heap, so that each operation takes at most logarithmic time in the number of hosts
/// and none depends on the number of calls.
struct AdmissionOrder<Host: Hashable, Element> {
    /// How many calls may be in flight.
    struct Limits: Equatable, Sendable {
        var total: Int
        var perHost: Int
    }

    /// A place in the queue.
    struct Ticket: Equatable, Sendable {
        fileprivate let lane: Int
        fileprivate let priority: Int
        fileprivate let place: WaitingLines<Element>.Place
    }

    /// The calls of one priority to one host.
    private struct Line {
        var calls = WaitingLines<Element>.Line()
        /// The oldest call's entry in `ready`.
        var offer: Heap<UInt64, Int>.Handle?
    }

    /// The calls to one host.
    private struct Lane {
        var inFlight = 0
        var queued = 0
        var lines = Array(repeating: Line(), count: RequestPriority.allCases.count)
        var pause: HostPause?
        /// The entry in `openings`.
        var opening: Heap<UInt64, Int>.Handle?

        /// Whether there are entries in `ready` or `openings`.
        var isListed: Bool { opening != nil || lines.contains { $0.offer != nil } }

        func isOpen(_ limit: Int) -> Bool { inFlight < limit && pause?.isOpen ?? true }

        /// A call goes.
        mutating func send(at now: UInt64) {
            inFlight += 1
            if pause?.sent(at: now, queued: queued) == false { pause = nil }
        }

        /// The time has come at which the pause ends, or its next step begins.
        mutating func open(_ limit: Int) {
            opening = nil
            if pause?.open(queued: queued, limit: limit) == false { pause = nil }
        }

        func isIdle(at now: UInt64) -> Bool {
            inFlight == 0 && queued == 0 && (pause.map { $0.opening <= now } ?? true)
        }
    }

    /// The limits; at least 1 counts.
    var limits: Limits {
        didSet { for index in indices.values { settle(index) } }
    }

    private var inFlight = 0
    /// By index, and the indices of those that are free.
    private var lanes: [Lane] = []
    private var freeLanes: [Int] = []
    private var indices: [Host: Int] = [:]
    private var waiting = WaitingLines<Element>()
    /// The lanes whose calls may go, by priority and the age of their oldest call.
    private var ready = Array(repeating: Heap<UInt64, Int>(), count: RequestPriority.allCases.count)
    /// The lanes with queued calls whose hosts are paused, by the end of the pause.
    private var openings = Heap<UInt64, Int>()
    private var admissions = 0
    private var schedule = SweepSchedule(minimum: 256)

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Whether no call is in flight or queued.
    var isEmpty: Bool { inFlight == 0 && waiting.count == 0 }

    /// How many calls wait for their turn.
    var queued: Int { waiting.count }

    /// When to ``admit(at:)`` again though no call has left; nil if there is no need to.
    var nextOpening: UInt64? { openings.firstKey }

    /// Lets a call go at once, or queues it; then ask ``admit(at:)`` which calls may go.
    ///
    /// - Returns: Nil if it may go, else its place in the queue.
    mutating func enter(
        _ element: @autoclosure () -> Element,
        to host: Host,
        priority: RequestPriority,
        at now: UInt64
    ) -> Ticket? {
        open(at: now)
        let lane = lane(of: host, at: now)
        // Without queued calls nobody waits for the end of the pause.
        if lanes[lane].queued == 0, let pause = lanes[lane].pause, !pause.isOpen,
            pause.opening <= now
        {
            lanes[lane].pause = nil
        }
        if hasRoom, waiting.count == 0 || ready.allSatisfy({ $0.isEmpty }),
            lanes[lane].isOpen(max(1, limits.perHost))
        {
            take(lane, at: now)
            return nil
        }
        let priority = priority.line
        let place = waiting.append(element(), to: &lanes[lane].lines[priority].calls)
        lanes[lane].queued += 1
        settle(lane)
        return Ticket(lane: lane, priority: priority, place: place)
    }

    /// A call that was in flight has ended.
    mutating func leave(_ host: Host) {
        guard let lane = indices[host] else { return }
        inFlight -= 1
        lanes[lane].inFlight -= 1
        settle(lane)
    }

    /// Takes a call out of the queue.
    ///
    /// - Returns: False if it has been admitted, and has to leave.
    mutating func cancel(_ ticket: Ticket) -> Bool {
        // A lane that is gone has no calls: the place is another's, or nobody's.
        guard ticket.lane < lanes.count,
            waiting.remove(ticket.place, from: &lanes[ticket.lane].lines[ticket.priority].calls)
                != nil
        else { return false }
        lanes[ticket.lane].queued -= 1
        settle(ticket.lane)
        return true
    }

    /// Keeps a host from being called until `time`; never shortens an earlier pause.
    mutating func pause(_ host: Host, until time: UInt64, at now: UInt64) {
        let lane = lane(of: host, at: now)
        if lanes[lane].pause == nil {
            lanes[lane].pause = HostPause(until: time)
        } else {
            lanes[lane].pause?.extend(until: time)
        }
        settle(lane)
    }

    /// The queued calls that may go now, in order.
    mutating func admit(at now: UInt64) -> [Element] {
        guard waiting.count > 0 else { return [] }
        open(at: now)
        var admitted: [Element] = []
        while hasRoom, let priority = nextPriority, let lane = ready[priority].first,
            let element = waiting.popFirst(of: &lanes[lane].lines[priority].calls)
        {
            lanes[lane].queued -= 1
            admissions += 1
            take(lane, at: now)
            admitted.append(element)
        }
        return admitted
    }

    private var hasRoom: Bool { inFlight < max(1, limits.total) }

    /// The priority whose turn it is.
    private var nextPriority: Int? {
        let waiting = ready.indices.filter { !ready[$0].isEmpty }
        guard admissions % 4 == 3 else { return waiting.last }
        return waiting.min { (ready[$0].firstKey ?? 0) < (ready[$1].firstKey ?? 0) }
    }

    private mutating func take(_ lane: Int, at now: UInt64) {
        inFlight += 1
        lanes[lane].send(at: now)
        settle(lane)
    }

    /// Opens the lanes whose time has come.
    private mutating func open(at now: UInt64) {
        while let time = openings.firstKey, time <= now, let lane = openings.popFirst() {
            lanes[lane].open(max(1, limits.perHost))
            settle(lane)
        }
    }

    /// Puts a lane's oldest calls among those that may go, or takes them out, after any change of it.
    private mutating func settle(_ lane: Int) {
        guard lanes[lane].queued > 0 || lanes[lane].isListed else { return }
        let isOpen = lanes[lane].isOpen(max(1, limits.perHost))
        for priority in ready.indices {
            let line = lanes[lane].lines[priority]
            let key = isOpen ? waiting.firstNumber(of: line.calls) : nil
            ready[priority].update(&lanes[lane].lines[priority].offer, of: lane, at: key)
        }
        let pause = lanes[lane].queued > 0 ? lanes[lane].pause : nil
        let opening = pause.flatMap { $0.isOpen ? nil : $0.opening }
        openings.update(&lanes[lane].opening, of: lane, at: opening)
    }

    private mutating func lane(of host: Host, at now: UInt64) -> Int {
        if let index = indices[host] { return index }
        if schedule.isDue(with: indices.count) { sweep(at: now) }
        let index = freeLanes.popLast() ?? lanes.count
        if index == lanes.count { lanes.append(Lane()) } else { lanes[index] = Lane() }
        indices[host] = index
        return index
    }

    /// Removes the lanes of hosts that nobody calls; seldom enough to cost little for each.
    private mutating func sweep(at now: UInt64) {
        for (host, index) in indices where lanes[index].isIdle(at: now) {
            indices[host] = nil
            freeLanes.append(index)
        }
        schedule.swept(leaving: indices.count)
    }
}

extension Heap {
    /// Inserts, moves or removes an element, so that it has the key `key`; nil for not being in the heap.
    fileprivate mutating func update(_ handle: inout Handle?, of element: Element, at key: Key?) {
        switch (handle, key) {
        case (nil, nil): break
        case (nil, let key?): handle = insert(element, at: key)
        case (let known?, let key?): move(known, to: key)
        case (let known?, nil):
            remove(known)
            handle = nil
        }
    }
}
