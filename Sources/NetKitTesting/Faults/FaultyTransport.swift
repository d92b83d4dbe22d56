public import NetKit

/// Brings faults about on the way to another transport and back: by chance, or by a script.
///
/// ```swift
/// let faulty = FaultyTransport(wrapping: stub, seed: 7)
/// faulty.add(.tooManyRequests(retryAfter: .seconds(2)), probability: 0.05, lasting: 3)
/// faulty.add(.cut(afterBodyBytes: 100), probability: 0.1)
/// ```
///
/// What the n-th request of one method, path and query meets with depends on the seed, on these and on n
/// alone: neither on the host, nor on the order in which threads send different requests.
/// ``injected`` says what was done.
public final class FaultyTransport: Transport {
    private let base: any Transport
    private let clock: DeadlineClock
    private let plan: Locked<FaultPlan>
    private let log = Locked<[InjectedFault]>([])

    /// Makes a transport without faults.
    ///
    /// - Parameters:
    ///   - base: Sends what goes through: a stub, or a real one.
    ///   - seed: Decides what happens by chance. Defaults to 0.
    ///   - clock: Measures the pauses of ``TransportFault/drip(bytes:every:)``; nil, the default, for real
    ///     time.
    public init(wrapping base: any Transport, seed: UInt64 = 0, clock: ManualClock? = nil) {
        self.base = base
        self.clock = clock?.deadlines ?? .shared
        plan = Locked(FaultPlan(seed: seed))
    }

    /// Adds a fault that happens now and then; of several that a request would meet with, the one that was
    /// added first happens.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - probability: How often it begins, between 0, never, and 1, always.
    ///   - length: How many requests of the same method, path and query, one after the other, meet with it once
    ///     it has begun. Defaults to 1.
    public func add(_ fault: TransportFault, probability: Double, lasting length: Int = 1) {
        let rule = FaultPlan.Rule(
            fault: fault,
            probability: probability,
            length: max(1, length)
        )
        plan.withLock { $0.rules.append(rule) }
    }

    /// Says what the next requests meet with, in the order in which they are sent, whatever they ask for.
    ///
    /// - Parameter faults: The faults, nil to let a request pass. They come behind those of an earlier
    ///   script that are left, and before anything happens by chance.
    public func script(_ faults: TransportFault?...) {
        plan.withLock { $0.script += faults }
    }

    /// The faults that were brought about, in the order of their requests.
    ///
    /// One that could not happen, such as a cut behind the end of a body, is not among them.
    public var injected: [InjectedFault] {
        log.withLock { $0 }.sorted { $0.number < $1.number }
    }

    public var sendsSequences: Bool { base.sendsSequences }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let (number, planned) = plan.withLock { $0.next(request) }
        guard let fault = planned else { return base.send(request, to: receiver) }
        let injected = InjectedFault(
            number: number,
            request: "\(request.method) \(RedactedURL(request.url))",
            fault: fault
        )
        let log = log
        let exchange = FaultyExchange(fault, clock: clock, receiver: receiver) {
            log.withLock { $0.append(injected) }
        }
        exchange.start(request, over: base)
        return exchange.player
    }
}
