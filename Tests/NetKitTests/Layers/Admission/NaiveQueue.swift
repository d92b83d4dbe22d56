@testable import NetKit
@testable import NetKitSupport

/// What ``AdmissionOrder`` does, in as few lines as it takes: one array, searched from its beginning each time.
struct NaiveQueue<Host: Hashable, Element> {
    var limits: AdmissionLimits
    private var queued: [(number: Int, host: Host, priority: RequestPriority, element: Element)] =
        []
    private var inFlight: [Host] = []
    private var pauses: [(host: Host, pause: HostPause)] = []
    private var lastNumber = 0
    private var admissions = 0

    init(_ limits: AdmissionLimits) {
        self.limits = limits
    }

    mutating func enter(
        _ element: Element,
        to host: Host,
        priority: RequestPriority,
        at now: UInt64
    ) -> Int? {
        open(at: now)
        if let index = pauses.firstIndex(where: { $0.host == host }), count(of: host) == 0,
            !pauses[index].pause.isOpen, pauses[index].pause.opening <= now
        {
            pauses.remove(at: index)
        }
        if isOpen(host), !queued.contains(where: { isOpen($0.host) }) {
            send(to: host, at: now)
            return nil
        }
        lastNumber += 1
        queued.append((lastNumber, host, priority, element))
        return lastNumber
    }

    mutating func leave(_ host: Host) {
        inFlight.firstIndex(of: host).map { _ = inFlight.remove(at: $0) }
    }

    mutating func cancel(_ number: Int) -> Bool {
        guard let index = queued.firstIndex(where: { $0.number == number }) else { return false }
        queued.remove(at: index)
        return true
    }

    mutating func pause(_ host: Host, until time: UInt64) {
        if let index = pauses.firstIndex(where: { $0.host == host }) {
            pauses[index].pause.extend(until: time)
        } else {
            pauses.append((host, HostPause(until: time)))
        }
    }

    mutating func admit(at now: UInt64) -> [Element] {
        open(at: now)
        var admitted: [Element] = []
        while true {
            let open = queued.indices.filter { isOpen(queued[$0].host) }
            let first =
                admissions % 4 == 3
                ? open.first
                : open.max { queued[$0].priority < queued[$1].priority }
            guard let index = first else { return admitted }
            let call = queued.remove(at: index)
            admissions += 1
            send(to: call.host, at: now)
            admitted.append(call.element)
        }
    }

    private func count(of host: Host) -> Int { queued.count { $0.host == host } }

    private func isOpen(_ host: Host) -> Bool {
        inFlight.count < limits.total && inFlight.count { $0 == host } < limits.perHost
            && pauses.first { $0.host == host }?.pause.isOpen ?? true
    }

    private mutating func send(to host: Host, at now: UInt64) {
        inFlight.append(host)
        guard let index = pauses.firstIndex(where: { $0.host == host }),
            !pauses[index].pause.sent(at: now, queued: count(of: host))
        else { return }
        pauses.remove(at: index)
    }

    private mutating func open(at now: UInt64) {
        for index in pauses.indices.reversed() {
            let (host, pause) = pauses[index]
            guard !pause.isOpen, pause.opening <= now, count(of: host) > 0 else { continue }
            if !pauses[index].pause.open(queued: count(of: host), limit: limits.perHost) {
                pauses.remove(at: index)
            }
        }
    }
}

extension AdmissionOrder {
    mutating func enter(
        _ element: Element,
        to host: Host,
        priority: RequestPriority,
        at now: UInt64
    ) -> Ticket? {
        enter(element, to: host, priority: priority.line, at: now)
    }
}
