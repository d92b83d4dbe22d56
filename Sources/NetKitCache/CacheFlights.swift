import NetKit
import NetKitSupport

/// Lets concurrent calls that miss the same response share one request.
final class CacheFlights: Sendable {
    /// A request for a response that isn't stored.
    struct Flight: Sendable {
        fileprivate let key: CacheKey
        /// The priority of the call that sends the request, which may be queued.
        fileprivate let priority: RequestPriority
        /// What other calls wait for.
        let work = SharedWork()
    }

    enum Ending: Sendable {
        /// The response is stored, or can't be stored.
        ///
        /// Each waiting call continues by itself.
        case settled
        /// The call that sent the request was stopped, so another one takes its place.
        case left
    }

    /// A call that waits for another call's request.
    final class Follower: Sendable {
        fileprivate let wait = Wait()
        private let waiting: SharedWork.Waiting
        private let known = Locked<Ending?>(nil)

        fileprivate init(_ waiting: SharedWork.Waiting) {
            self.waiting = waiting
        }

        fileprivate func end(_ ending: Ending) {
            known.withLock { $0 = ending }
            wait.finish()
        }

        /// Waits for the end of the request.
        ///
        /// - Parameters:
        ///   - control: The call's control.
        ///   - limit: The maximum time to wait.
        ///   - clock: The clock that measures the time.
        /// - Returns: The ending, ``Ending/settled`` if it took too long, or nil if this call was stopped.
        func ending(
            _ control: CallControl,
            atMost limit: Duration,
            _ clock: DeadlineClock
        ) async -> Ending? {
            await wait.run(control, atMost: limit, clock: clock)
            waiting.end()
            return control.stopped == nil ? known.withLock { $0 } ?? .settled : nil
        }
    }

    enum Role {
        /// The call sends the request and ends the flight.
        case leader(Flight)
        /// The call waits for the end of the flight.
        case follower(Follower)
        /// The flight waits for the call, which sends a request of its own.
        case alone
    }

    private typealias Known = (flight: Flight, followers: [Follower])

    /// The flights for each key, which has more than one only if their priorities differ.
    private let flights = Locked<[CacheKey: [Known]]>([:])

    /// The number of waiting calls, for tests.
    var waiting: Int {
        flights.withLock { $0.values.joined().reduce(0) { $0 + $1.followers.count } }
    }

    /// Joins the flight for a key, or begins one if there is none of the call's priority or a higher one.
    func join(_ key: CacheKey, _ priority: RequestPriority) -> Role {
        flights.withLock { Self.join(&$0[key, default: []], key, priority) }
    }

    private static func join(
        _ known: inout [Known],
        _ key: CacheKey,
        _ priority: RequestPriority
    ) -> Role {
        guard let index = known.firstIndex(where: { $0.flight.priority >= priority }) else {
            let flight = Flight(key: key, priority: priority)
            known.append((flight, []))
            return .leader(flight)
        }
        guard let waiting = known[index].flight.work.beginWait() else { return .alone }
        let follower = Follower(waiting)
        known[index].followers.append(follower)
        return .follower(follower)
    }

    /// Begins a flight, or returns nil if there is one of any priority.
    func begin(_ key: CacheKey, _ priority: RequestPriority) -> Flight? {
        flights.withLock { flights in
            guard flights[key] == nil else { return nil }
            let flight = Flight(key: key, priority: priority)
            flights[key] = [(flight, [])]
            return flight
        }
    }

    /// Ends a flight, or does nothing if it has ended.
    func end(_ flight: Flight, _ ending: Ending) {
        let followers = flights.withLock { flights -> [Follower] in
            guard var known = flights[flight.key],
                let index = known.firstIndex(where: { $0.flight.work == flight.work })
            else { return [] }
            let followers = known.remove(at: index).followers
            flights[flight.key] = known.isEmpty ? nil : known
            return followers
        }
        for follower in followers { follower.end(ending) }
    }
}
