/// The limits on calls in flight.
package struct AdmissionLimits: Equatable, Sendable {
    /// The number of priorities, which count from 0.
    package static var priorities: Int { 3 }

    package var total: Int
    package var perHost: Int

    package init(total: Int, perHost: Int) {
        self.total = total
        self.perHost = perHost
    }
}

/// A call that waits in an ``AdmissionQueue``.
package protocol AdmissionWaiter: AnyObject, Sendable {
    /// Lets the call go on.
    func admit()
}

/// The queue of the calls to all origins.
///
/// It is an ``AdmissionOrder`` of its own type, because generics aren't specialized for another module, and a class, because
/// another module copies a value to read from it.
package final class AdmissionQueue {
    package struct Ticket: Equatable, Sendable {
        fileprivate let ticket: Order.Ticket
    }

    fileprivate typealias Order = AdmissionOrder<Origin, any AdmissionWaiter>

    private var order: Order

    package init(_ limits: AdmissionLimits) {
        order = Order(limits)
    }

    package var limits: AdmissionLimits {
        get { order.limits }
        set { order.limits = newValue }
    }

    package var queued: Int { order.queued }

    package var nextOpening: UInt64? { order.nextOpening }

    package func enter(
        to origin: Origin,
        priority: Int,
        at now: UInt64,
        _ waiter: () -> any AdmissionWaiter
    ) -> Ticket? {
        order.enter(waiter(), to: origin, priority: priority, at: now).map { Ticket(ticket: $0) }
    }

    package func leave(_ origin: Origin) {
        order.leave(origin)
    }

    package func cancel(_ ticket: Ticket) -> Bool {
        order.cancel(ticket.ticket)
    }

    package func pause(_ origin: Origin, until time: UInt64, at now: UInt64) {
        order.pause(origin, until: time, at: now)
    }

    package func admit(at now: UInt64) -> [any AdmissionWaiter] {
        order.admit(at: now)
    }
}

/// A queue of calls to any number of hosts.
///
/// A call is queued while the total or the host's limit is reached, or while its host is paused. Among the calls that
/// may start, the highest priority is first, and then the oldest call. Every fourth admitted call is the oldest of all,
/// whatever its priority, so that no call waits forever.
///
/// It is a pure value with times in nanoseconds. Each host has a line per priority, and heaps hold the oldest calls of
/// the available hosts. Each operation therefore takes at most logarithmic time in the number of hosts, whatever the
/// number of calls.
struct AdmissionOrder<Host: Hashable, Element> {
    typealias Limits = AdmissionLimits

    /// A position in the queue.
    struct Ticket: Equatable, Sendable {
        fileprivate let lane: Int
        fileprivate let priority: Int
        fileprivate let place: WaitingLines<Element>.Place
    }

    /// The queued calls of one priority to one host.
    private struct Line {
        var calls = WaitingLines<Element>.Line()
        /// The entry of the oldest call in `ready`.
        var offer: Heap<UInt64, Int>.Handle?
    }

    /// The calls to one host.
    private struct Lane {
        var inFlight = 0
        var queued = 0
        var lines = Array(repeating: Line(), count: AdmissionLimits.priorities)
        var pause: HostPause?
        /// The entry in `openings`.
        var opening: Heap<UInt64, Int>.Handle?

        /// Whether the lane has entries in `ready` or `openings`.
        var isListed: Bool { opening != nil || lines.contains { $0.offer != nil } }

        func isOpen(_ limit: Int) -> Bool { inFlight < limit && pause?.isOpen ?? true }

        /// Records that a call starts.
        mutating func send(at now: UInt64) {
            inFlight += 1
            if pause?.sent(at: now, queued: queued) == false { pause = nil }
        }

        /// Ends the pause or begins its next step.
        mutating func open(_ limit: Int) {
            opening = nil
            if pause?.open(queued: queued, limit: limit) == false { pause = nil }
        }

        func isIdle(at now: UInt64) -> Bool {
            inFlight == 0 && queued == 0 && (pause.map { $0.opening <= now } ?? true)
        }
    }

    /// The limits.
    ///
    /// Values below 1 count as 1.
    var limits: Limits {
        didSet { for index in indices.values { settle(index) } }
    }

    private var inFlight = 0
    /// The lanes by index, with the indices of the unused ones below.
    private var lanes: [Lane] = []
    private var freeLanes: [Int] = []
    private var indices: [Host: Int] = [:]
    private var waiting = WaitingLines<Element>()
    /// The lanes with calls that may start, by priority and age.
    private var ready = Array(repeating: Heap<UInt64, Int>(), count: AdmissionLimits.priorities)
    /// The lanes with queued calls to paused hosts, by the end of the pause.
    private var openings = Heap<UInt64, Int>()
    private var admissions = 0
    private var schedule = SweepSchedule(minimum: 256)

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The number of queued calls.
    var queued: Int { waiting.count }

    /// The time when ``admit(at:)`` is next due without an ended call, or nil.
    var nextOpening: UInt64? { openings.firstKey }

    /// Starts a call at once or queues it.
    ///
    /// Then call ``admit(at:)`` to start others. The highest of ``AdmissionLimits/priorities`` is the first.
    ///
    /// - Returns: Nil if the call may start, or else its position in the queue.
    mutating func enter(
        _ element: @autoclosure () -> Element,
        to host: Host,
        priority: Int,
        at now: UInt64
    ) -> Ticket? {
        open(at: now)
        let lane = lane(of: host, at: now)
        // Without queued calls, nothing tracks the end of the pause.
        if lanes[lane].queued == 0, let pause = lanes[lane].pause, !pause.isOpen,
            pause.opening <= now
        {
            lanes[lane].pause = nil
        }
        if hasRoom, ready.allSatisfy({ $0.isEmpty }), lanes[lane].isOpen(max(1, limits.perHost)) {
            take(lane, at: now)
            return nil
        }
        let place = waiting.append(element(), to: &lanes[lane].lines[priority].calls)
        lanes[lane].queued += 1
        settle(lane)
        return Ticket(lane: lane, priority: priority, place: place)
    }

    /// Records that a call in flight ended.
    mutating func leave(_ host: Host) {
        guard let lane = indices[host] else { return }
        inFlight -= 1
        lanes[lane].inFlight -= 1
        settle(lane)
    }

    /// Removes a call from the queue.
    ///
    /// - Parameter ticket: The position in the queue.
    /// - Returns: `false` if the call was already admitted and must leave.
    mutating func cancel(_ ticket: Ticket) -> Bool {
        // A removed lane has no calls. Its position may belong to another call.
        guard
            waiting.remove(ticket.place, from: &lanes[ticket.lane].lines[ticket.priority].calls)
                != nil
        else { return false }
        lanes[ticket.lane].queued -= 1
        settle(ticket.lane)
        return true
    }

    /// Pauses a host until `time`.
    ///
    /// Never shortens an earlier pause.
    mutating func pause(_ host: Host, until time: UInt64, at now: UInt64) {
        let lane = lane(of: host, at: now)
        if lanes[lane].pause == nil {
            lanes[lane].pause = HostPause(until: time)
        } else {
            lanes[lane].pause?.extend(until: time)
        }
        settle(lane)
    }

    /// Removes the calls that may start now from the queue and returns them in order.
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

    /// The priority of the next call.
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

    /// Opens the lanes whose pause has ended.
    private mutating func open(at now: UInt64) {
        while let time = openings.firstKey, time <= now, let lane = openings.popFirst() {
            lanes[lane].open(max(1, limits.perHost))
            settle(lane)
        }
    }

    /// Updates a lane's entries in the heaps after any change.
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

    /// Removes idle lanes, rarely enough to be cheap per call.
    private mutating func sweep(at now: UInt64) {
        for (host, index) in indices where lanes[index].isIdle(at: now) {
            indices[host] = nil
            freeLanes.append(index)
        }
        schedule.swept(leaving: indices.count)
    }
}

extension Heap {
    /// Inserts, moves, or removes an element.
    ///
    /// A nil key removes it.
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

/// First-in, first-out queues that can remove any element in constant time.
package struct WaitingLines<Element> {
    /// A queue, whose elements are stored in its ``WaitingLines``.
    package struct Line {
        fileprivate var first: Int?
        fileprivate var last: Int?

        package init() {}
    }

    /// An identifier of an element, valid while it is in its queue.
    package struct Place: Equatable, Sendable {
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

    package init() {}

    /// The number of elements in all queues.
    package var count: Int { nodes.count - freeNodes.count }

    /// Adds an element at the end of a queue.
    package mutating func append(_ element: Element, to line: inout Line) -> Place {
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
    package mutating func popFirst(of line: inout Line) -> Element? {
        line.first.flatMap { remove(at: $0, from: &line) }
    }

    /// Removes an element from its queue.
    ///
    /// - Returns: The element, or nil if it was already removed.
    package mutating func remove(_ place: Place, from line: inout Line) -> Element? {
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
