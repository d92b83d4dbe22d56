import Testing

@testable import NetKitSupport

@Suite("Host pause")
struct HostPauseTests {
    private let interval: UInt64 = 20_000_000

    /// Lets calls go as soon as they may, and says how many went when.
    private func departures(
        of queued: Int,
        limit: Int,
        arrivals: Int = 0
    ) -> [(time: UInt64, count: Int)] {
        var pause = HostPause(until: 1000)
        var queued = queued
        var departures: [(time: UInt64, count: Int)] = []
        // Of one that never ends, the beginning.
        while departures.count < 100 {
            let now = pause.opening
            guard pause.open(queued: queued, limit: limit) else { return departures }
            var count = 0
            var goesOn = true
            while pause.isOpen {
                count += 1
                queued += arrivals - 1
                goesOn = pause.sent(at: now, queued: queued)
            }
            departures.append((now, count))
            guard goesOn else { return departures }
        }
        return departures
    }

    @Test("admits one call, then twice as many every 20 ms, up to the host's limit")
    func ramp() {
        let all = departures(of: 3000, limit: 6)
        #expect(all.map(\.count) == [1, 2, 4])
        #expect(all.map(\.time) == [1000, 1000 + interval, 1000 + 2 * interval])
        #expect(departures(of: 3000, limit: 4).map(\.count) == [1, 2])
        #expect(departures(of: 3000, limit: 1).isEmpty)
        #expect(departures(of: 2, limit: 6).map(\.count) == [1, 1])
        #expect(departures(of: 1, limit: 6).map(\.count) == [1])
    }

    @Test(
        "ends with the last call that was queued when it opened",
        arguments: [0, 1, 5]
    )
    func rest(arrivals: Int) {
        // Calls that are queued later make it no longer.
        let all = departures(of: 5, limit: 1000, arrivals: arrivals)
        #expect(all.map(\.count) == [1, 2, 2])
    }

    @Test("ends at once without queued calls")
    func nobody() {
        var pause = HostPause(until: 1000)
        let goesOn = pause.open(queued: 0, limit: 6)
        #expect(!goesOn)
    }

    @Test("is never shortened, and restarts when the host asks for another pause")
    func extending() {
        var pause = HostPause(until: 1000)
        pause.extend(until: 500)
        #expect(pause.opening == 1000)
        pause.extend(until: 2000)
        #expect(pause.opening == 2000)
        _ = pause.open(queued: 9, limit: 6)
        #expect(pause.isOpen)
        _ = pause.sent(at: 2000, queued: 8)
        #expect(pause.opening == 2000 + interval)
        pause.extend(until: 3000)
        #expect(!pause.isOpen)
        #expect(pause.opening == 3000)
    }
}
