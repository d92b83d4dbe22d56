import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Progress of a batch")
struct BatchProgressTests {
    private typealias Report = BatchProgress.Report

    private let interval = TransferMeter.interval

    @Test("gives each call the same weight")
    func weights() {
        var progress = BatchProgress(of: 4)
        #expect(
            progress.progressed(to: 0.5, of: 2, at: 0)
                == Report(index: 2, fraction: 0.5, total: 0.125)
        )
        #expect(
            progress.progressed(to: 1, of: 0, at: 0) == Report(index: 0, fraction: 1, total: 0.375)
        )
        #expect(
            progress.ended(0, successfully: true) == Report(index: 0, fraction: 1, total: 0.375)
        )
    }

    @Test("counts a failed call as complete, and keeps its fraction")
    func failure() {
        var progress = BatchProgress(of: 2)
        _ = progress.progressed(to: 0.25, of: 1, at: 0)
        #expect(
            progress.ended(1, successfully: false) == Report(index: 1, fraction: 0.25, total: 0.5)
        )
        #expect(progress.ended(0, successfully: false) == Report(index: 0, fraction: 0, total: 1))
    }

    @Test("never decreases, also when a retry counts from the beginning")
    func retry() {
        var progress = BatchProgress(of: 1)
        _ = progress.progressed(to: 0.75, of: 0, at: 0)
        #expect(progress.progressed(to: 0.5, of: 0, at: interval) == nil)
        #expect(progress.reports == [Report(index: 0, fraction: 0.75, total: 0.75)])
        _ = progress.ended(0, successfully: true)
        #expect(progress.progressed(to: 0.9, of: 0, at: 2 * interval) == nil)
        #expect(progress.reports == [Report(index: 0, fraction: 1, total: 1)])
    }

    @Test("reports each call 20 times per second, and always its last byte")
    func rate() {
        var progress = BatchProgress(of: 2)
        #expect(progress.progressed(to: 0.125, of: 0, at: 7) != nil)
        #expect(progress.progressed(to: 0.25, of: 0, at: 7) == nil)
        #expect(progress.progressed(to: 0.25, of: 1, at: 8) != nil)
        #expect(progress.progressed(to: 0.375, of: 0, at: 6 + interval) == nil)
        #expect(
            progress.progressed(to: 0.5, of: 0, at: 7 + interval)
                == Report(index: 0, fraction: 0.5, total: 0.375)
        )
        #expect(progress.progressed(to: 1, of: 0, at: 8 + interval)?.fraction == 1)
    }

    @Test("ends at exactly 1, whatever the number of calls", arguments: [1, 3, 7, 10, 49, 1_000])
    func end(count: Int) {
        var progress = BatchProgress(of: count)
        var last = 0.0
        for index in 0..<count {
            for step in 1...3 {
                let time = UInt64(step) * interval
                let total = progress.progressed(to: Double(step) / 7, of: index, at: time)?.total
                #expect(total.map { $0 >= last && $0 < 1 } == true)
                last = total ?? last
            }
            let total = progress.ended(index, successfully: index.isMultiple(of: 2)).total
            #expect(total >= last)
            last = total
        }
        #expect(last == 1)
    }
}
