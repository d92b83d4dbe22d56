public import NetKit
import NetKitSupport

/// A transport that injects faults into another transport, at random or by a script.
///
/// ```swift
/// let faulty = FaultyTransport(wrapping: stub, seed: 7)
/// faulty.add(.tooManyRequests(retryAfter: .seconds(2)), probability: 0.05, lasting: 3)
/// faulty.add(.cut(afterBodyBytes: 100), probability: 0.1)
/// ```
///
/// The fault of the n-th request for a method, path and query depends only on these, on n and on
/// the seed. It depends neither on the host, nor on the order in which threads send different
/// requests. ``injectedFaults`` lists the faults that happened.
public final class FaultyTransport: Transport, WrappingTransport {
    private let base: any Transport
    private let clock: DeadlineClock
    private let plan: Locked<FaultPlan>
    private let log = Locked<[InjectedFault]>([])

    /// Creates a transport without faults.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests: a stub or a real one.
    ///   - seed: The seed of the random faults. Defaults to 0.
    ///   - clock: The clock for the pauses of ``TransportFault/drip(bytes:every:)``. Defaults to
    ///     nil, which means real time.
    public init(wrapping base: any Transport, seed: UInt64 = 0, clock: ManualClock? = nil) {
        self.base = base
        self.clock = clock?.deadlines ?? .shared
        plan = Locked(FaultPlan(seed: seed))
    }

    /// Adds a random fault.
    ///
    /// If several faults apply to a request, the one added first happens.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - probability: The probability that it begins, from 0 (never) to 1 (always).
    ///   - length: The number of consecutive requests of the same method, path and query that it
    ///     affects. Defaults to 1.
    public func add(_ fault: TransportFault, probability: Double, lasting length: Int = 1) {
        let rule = FaultPlan.Rule(
            fault: fault,
            probability: probability,
            length: max(1, length)
        )
        plan.withLock { $0.rules.append(rule) }
    }

    /// Adds faults for the next requests, in order, whatever their method and URL.
    ///
    /// - Parameter faults: The faults; nil for a request without one. They follow the remaining
    ///   faults of an earlier script, and precede random faults.
    public func script(_ faults: TransportFault?...) {
        plan.withLock { $0.script += faults }
    }

    /// The faults that happened, in the order of their requests.
    ///
    /// A fault that couldn't happen, such as a cut beyond the end of a body, is not included.
    public var injectedFaults: [InjectedFault] {
        log.withLock { $0 }.sorted { $0.number < $1.number }
    }

    public var sendsSequences: Bool { base.sendsSequences }
    package var wrapped: any Transport { base }

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
