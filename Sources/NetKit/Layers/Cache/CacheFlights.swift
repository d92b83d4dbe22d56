/// Lets calls that miss the same response at the same time wait for one request.
final class CacheFlights: Sendable {
    /// A request for something that is not stored.
    struct Flight: Sendable {
        fileprivate let key: CacheKey
        fileprivate let number: Int
    }

    enum Ending: Sendable {
        /// The response is stored, or it is known that it won't be: each call goes on by itself.
        case settled
        /// The call that sent the request was stopped: another one takes its place.
        case left
    }

    /// A call that waits for the request of another one.
    final class Follower: Sendable {
        fileprivate let wait = Wait()
        private let known = Locked<Ending?>(nil)

        fileprivate func end(_ ending: Ending) {
            known.withLock { $0 = ending }
            wait.finish()
        }

        /// Waits for the end.
        ///
        /// - Returns: How the flight ended, ``Ending/settled`` too if it took too long; nil if this call was stopped.
        func ending(
            _ control: CallControl,
            atMost limit: Duration,
            _ clock: DeadlineClock
        ) async -> Ending? {
            await wait.run(control, atMost: limit, clock: clock)
            return control.stopped == nil ? known.withLock { $0 } ?? .settled : nil
        }
    }

    enum Role {
        /// The call sends the request, and ends the flight.
        case leader(Flight)
        /// The call waits until the flight has ended.
        case follower(Follower)
    }

    private struct State {
        var flights: [CacheKey: (number: Int, followers: [Follower])] = [:]
        var lastNumber = 0

        mutating func begin(_ key: CacheKey) -> Flight {
            lastNumber += 1
            flights[key] = (lastNumber, [])
            return Flight(key: key, number: lastNumber)
        }
    }

    private let state = Locked(State())

    /// How many calls wait, for tests.
    var waiting: Int {
        state.withLock { $0.flights.values.reduce(0) { $0 + $1.followers.count } }
    }

    /// Waits for the flight for a key, or begins it.
    func join(_ key: CacheKey) -> Role {
        state.withLock { state in
            guard state.flights[key] != nil else { return .leader(state.begin(key)) }
            let follower = Follower()
            state.flights[key]?.followers.append(follower)
            return .follower(follower)
        }
    }

    /// Begins a flight; nil if there is one already.
    func begin(_ key: CacheKey) -> Flight? {
        state.withLock { $0.flights[key] == nil ? $0.begin(key) : nil }
    }

    /// Ends a flight; nothing if it has ended already.
    func end(_ flight: Flight, _ ending: Ending) {
        let followers = state.withLock { state -> [Follower] in
            guard let known = state.flights[flight.key], known.number == flight.number else {
                return []
            }
            state.flights[flight.key] = nil
            return known.followers
        }
        for follower in followers { follower.end(ending) }
    }
}
