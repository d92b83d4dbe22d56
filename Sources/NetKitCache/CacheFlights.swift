import NetKit

/// Lets concurrent calls that miss the same response share one request.
final class CacheFlights: Sendable {
    /// A request for a response that isn't stored.
    struct Flight: Sendable {
        fileprivate let key: CacheKey
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

    private struct State {
        var flights: [CacheKey: (flight: Flight, followers: [Follower])] = [:]

        mutating func begin(_ key: CacheKey) -> Flight {
            let flight = Flight(key: key)
            flights[key] = (flight, [])
            return flight
        }
    }

    private let state = Locked(State())

    /// The number of waiting calls, for tests.
    var waiting: Int {
        state.withLock { $0.flights.values.reduce(0) { $0 + $1.followers.count } }
    }

    /// Joins the flight for a key, or begins it.
    func join(_ key: CacheKey) -> Role {
        state.withLock { state in
            guard let known = state.flights[key] else { return .leader(state.begin(key)) }
            guard let waiting = known.flight.work.beginWait() else { return .alone }
            let follower = Follower(waiting)
            state.flights[key]?.followers.append(follower)
            return .follower(follower)
        }
    }

    /// Begins a flight, or returns nil if there is one.
    func begin(_ key: CacheKey) -> Flight? {
        state.withLock { $0.flights[key] == nil ? $0.begin(key) : nil }
    }

    /// Ends a flight, or does nothing if it has ended.
    func end(_ flight: Flight, _ ending: Ending) {
        let followers = state.withLock { state -> [Follower] in
            guard let known = state.flights[flight.key], known.flight.work == flight.work else {
                return []
            }
            state.flights[flight.key] = nil
            return known.followers
        }
        for follower in followers { follower.end(ending) }
    }
}
