import Testing

@testable import NetKit
@testable import NetKitSupport

/// The queue of an endpoint beside one that is too simple to be wrong, and too slow to be of use.
@Suite("Admission queue against a model")
struct AdmissionModelTests {
    private typealias Queue = AdmissionOrder<Int, Int>
    private typealias Ticket = (new: Queue.Ticket, naive: Int, element: Int, host: Int)

    @Test("admits the same calls as an exhaustive search", arguments: 1...60)
    func model(seed: UInt64) {
        var random = SplitMix(state: seed)
        let limits = Queue.Limits(
            total: Int.random(in: 1...6, using: &random),
            perHost: Int.random(in: 1...8, using: &random)
        )
        var (queue, naive) = (Queue(limits), NaiveQueue<Int, Int>(limits))
        let hosts = Int.random(in: 1...4, using: &random)
        var now: UInt64 = 0
        var tickets: [Ticket] = []
        var inFlight: [Int] = []
        for element in 0..<500 {
            let host = Int.random(in: 0..<hosts, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
                let new = queue.enter(element, to: host, priority: priority, at: now)
                let old = naive.enter(element, to: host, priority: priority, at: now)
                #expect((new == nil) == (old == nil), "element \(element)")
                if let new, let old {
                    tickets.append((new, old, element, host))
                } else {
                    inFlight.append(host)
                }
            case 9..<15:
                guard let index = inFlight.indices.randomElement(using: &random) else { continue }
                let host = inFlight.remove(at: index)
                queue.leave(host)
                naive.leave(host)
            case 15..<17:
                guard let ticket = tickets.randomElement(using: &random) else { continue }
                let (new, old) = (queue.cancel(ticket.new), naive.cancel(ticket.naive))
                #expect(new == old)
            case 17:
                let time = now + UInt64.random(in: 0...100_000_000, using: &random)
                queue.pause(host, until: time, at: now)
                naive.pause(host, until: time)
            default:
                now += UInt64.random(in: 0...60_000_000, using: &random)
            }
            let (new, old) = (queue.admit(at: now), naive.admit(at: now))
            #expect(new == old, "after element \(element)")
            for element in new {
                tickets.first { $0.element == element }.map { inFlight.append($0.host) }
            }
        }
    }

    /// A host that counts how often it is hashed or compared.
    private struct Host: Hashable {
        final class Work { var steps = 0 }

        let number: Int
        let work: Work

        static func == (one: Host, other: Host) -> Bool {
            one.work.steps += 1
            return one.number == other.number
        }

        func hash(into hasher: inout Hasher) {
            work.steps += 1
            hasher.combine(number)
        }
    }

    /// A queue of either kind.
    private struct Functions<Queue, Ticket> {
        let enter: (inout Queue, Host) -> Ticket?
        let cancel: (inout Queue, Ticket) -> Bool
        let leave: (inout Queue, Host) -> Void
        let admit: (inout Queue) -> [Host]
    }

    /// Queues calls, cancels a third of them and lets the others go one after the other.
    ///
    /// - Returns: How often hosts were looked at for each call.
    private func steps<Queue, Ticket>(
        calls: Int,
        hosts: Int,
        _ queue: Queue,
        _ functions: Functions<Queue, Ticket>
    ) -> Int {
        var queue = queue
        let work = Host.Work()
        var inFlight: [Host] = []
        var tickets: [Ticket] = []
        for call in 0..<calls {
            let host = Host(number: call % hosts, work: work)
            if let ticket = functions.enter(&queue, host) {
                tickets.append(ticket)
            } else {
                inFlight.append(host)
            }
        }
        var cancelled = 0
        for index in stride(from: 0, to: tickets.count, by: 3)
        where functions.cancel(&queue, tickets[index]) {
            cancelled += 1
        }
        var ended = 0
        while let host = inFlight.popLast() {
            functions.leave(&queue, host)
            ended += 1
            inFlight += functions.admit(&queue)
        }
        #expect(ended + cancelled == calls)
        return work.steps / calls
    }

    /// Ten thousand queued calls took 8.5 seconds once, and twice as many four times as long.
    @Test("examines few hosts per call, however many calls and hosts there are")
    func work() {
        typealias Counted = AdmissionOrder<Host, Host>
        let limits = Counted.Limits(total: 64, perHost: 6)
        let functions = Functions<Counted, Counted.Ticket>(
            enter: { $0.enter($1, to: $1, priority: .normal, at: 0) },
            cancel: { $0.cancel($1) },
            leave: { $0.leave($1) },
            admit: { $0.admit(at: 0) }
        )
        for (calls, hosts) in [(1000, 1), (100_000, 1), (100_000, 1000), (100_000, 50_000)] {
            let steps = steps(calls: calls, hosts: hosts, Counted(limits), functions)
            #expect(steps <= 20, "\(calls) calls to \(hosts) hosts")
        }
        let naive = Functions<NaiveQueue<Host, Host>, Int>(
            enter: { $0.enter($1, to: $1, priority: .normal, at: 0) },
            cancel: { $0.cancel($1) },
            leave: { $0.leave($1) },
            admit: { $0.admit(at: 0) }
        )
        // What the count is worth: a search through all calls shows in it.
        #expect(steps(calls: 500, hosts: 1, NaiveQueue(limits), naive) > 100)
    }
}
