/// Lets calls that miss the same response at the same time wait for one request.
final class CacheFlights: Sendable {
    /// A request for something that is not stored.
    final class Flight: Sendable {
        fileprivate let key: CacheKey
        fileprivate let state = Locked((waiting: [Wait](), ending: Ending?.none))

        fileprivate init(_ key: CacheKey) {
            self.key = key
        }

        /// How it ended; nil as long as it is under way.
        var ending: Ending? { state.withLock { $0.ending } }
    }

    enum Ending: Sendable {
        /// The response is stored, or it is known that it won't be: each call goes on by itself.
        case settled
        /// The call that sent the request was stopped: another one takes its place.
        case left
    }

    enum Role {
        /// The call sends the request, and ends the flight.
        case leader(Flight)
        /// The call waits until the flight has ended.
        case follower(Flight)
    }

    private let flights = Locked<[CacheKey: Flight]>([:])

    /// How many calls wait, for tests.
    var waiting: Int {
        flights.withLock { $0.values.reduce(0) { $0 + $1.state.withLock { $0.waiting.count } } }
    }

    /// Takes part in the flight for a key, or begins it.
    ///
    /// - Parameters:
    ///   - key: What is missed.
    ///   - wait: Ended with the flight, if there is one already.
    func join(_ key: CacheKey, _ wait: Wait) -> Role {
        flights.withLock { flights in
            if let flight = flights[key] {
                flight.state.withLock { $0.waiting.append(wait) }
                return .follower(flight)
            }
            let flight = Flight(key)
            flights[key] = flight
            return .leader(flight)
        }
    }

    /// Begins a flight; nil if there is one already.
    func begin(_ key: CacheKey) -> Flight? {
        flights.withLock { flights in
            guard flights[key] == nil else { return nil }
            let flight = Flight(key)
            flights[key] = flight
            return flight
        }
    }

    /// Ends a flight; nothing if it has ended already.
    func end(_ flight: Flight, _ ending: Ending) {
        let waiting = flights.withLock { flights in
            if flights[flight.key] === flight { flights[flight.key] = nil }
            return flight.state.withLock { state -> [Wait] in
                guard state.ending == nil else { return [] }
                state.ending = ending
                defer { state.waiting = [] }
                return state.waiting
            }
        }
        for wait in waiting { wait.finish() }
    }
}
