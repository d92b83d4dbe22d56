import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Transfer meter")
struct TransferMeterTests {
    private func count(
        _ count: Int64,
        of total: Int64? = 1000,
        earlier: Int64 = 0,
        since: UInt64 = 0
    ) -> TransferCount {
        TransferCount(
            isUpload: false,
            count: count,
            total: total,
            earlier: earlier,
            since: since,
            isMain: true
        )
    }

    private static let millisecond: UInt64 = 1_000_000

    @Test("reports at most twenty times a second, and the last byte at once")
    func interval() {
        var meter = TransferMeter()
        var told: [Int64] = []
        for time in 0..<200 {
            let now = UInt64(time) * Self.millisecond
            if let reading = meter.report(count(Int64(time)), at: now) {
                told.append(reading.count.count)
            }
        }
        #expect(told == [0, 50, 100, 150])
        let last = meter.report(count(1000), at: 199 * Self.millisecond)
        #expect(last?.count.count == 1000)
        #expect(meter.flush(at: 300 * Self.millisecond)?.count == nil)
    }

    @Test("measures a rate from the first interval on")
    func firstRate() {
        for (time, rate) in [(49, nil), (50, 100.0)] as [(UInt64, Double?)] {
            var meter = TransferMeter()
            let first = meter.report(count(5), at: time * Self.millisecond)
            #expect(first?.count.count == 5 && first?.bytesPerSecond == rate)
        }
    }

    @Test("reports a held-back transfer at the end")
    func flush() {
        var meter = TransferMeter()
        _ = meter.report(count(1, of: nil), at: Self.millisecond)
        let early = meter.report(count(2, of: nil), at: 2 * Self.millisecond)
        #expect(early?.count == nil)
        let last = meter.flush(at: 300 * Self.millisecond)
        #expect(last?.count.count == 2)
        #expect(last?.count.total == nil)
        #expect(last?.count.fractionCompleted == nil)
        #expect(last.map { Transfer($0).estimatedTimeRemaining } == .some(nil))
    }

    @Test("doesn't report a count twice")
    func repeated() {
        var meter = TransferMeter()
        #expect(meter.report(count(5), at: 0)?.count.count == 5)
        #expect(meter.report(count(5), at: 100 * Self.millisecond)?.count == nil)
        #expect(!meter.isBehind)
        #expect(meter.report(count(6), at: 200 * Self.millisecond)?.count.count == 6)
    }

    @Test("averages the rate over three seconds, without resumed bytes")
    func rate() throws {
        var meter = TransferMeter()
        let first = meter.report(count(600, earlier: 500), at: 1000 * Self.millisecond)
        #expect(first?.bytesPerSecond == 100)
        #expect(first.map { Transfer($0).estimatedTimeRemaining } == .seconds(4))
        var last: TransferMeter.Reading?
        for second in UInt64(2)...10 {
            let now = second * 1000 * Self.millisecond
            // Ten a second: the hundred of the first second is forgotten.
            let next = count(600 + 10 * Int64(second - 1), earlier: 500)
            last = meter.report(next, at: now) ?? last
        }
        #expect(try #require(last?.bytesPerSecond) == 10)
    }

    @Test("has a rate of zero before the first byte, and none for fewer bytes than before")
    func stalls() {
        for (bytes, rate) in [(Int64(100), 0.0), (99, nil), (101, 2.0)] as [(Int64, Double?)] {
            var meter = TransferMeter()
            let first = meter.report(count(bytes, earlier: 100), at: 500 * Self.millisecond)
            #expect(first?.count.count == bytes)
            #expect(first?.bytesPerSecond == rate)
        }
    }

    @Test("restarts with another attempt")
    func attempts() {
        var meter = TransferMeter()
        _ = meter.report(count(900), at: 100 * Self.millisecond)
        let restart = count(100, since: 200 * Self.millisecond)
        let next = meter.report(restart, at: 300 * Self.millisecond)
        #expect(next?.count.count == 100)
        #expect(next?.bytesPerSecond == 1000)
    }

    @Test("forgets the counts from before the last three seconds, and no others")
    func window() throws {
        var meter = TransferMeter()
        var last: TransferMeter.Reading?
        for (second, total) in [(UInt64(1), Int64(100)), (2, 110), (3, 400), (4, 430)] {
            let now = second * 1000 * Self.millisecond
            last = meter.report(count(total), at: now) ?? last
        }
        #expect(try #require(last?.bytesPerSecond) == 110)
    }
}
