import Testing

@testable import NetKitSupport

@Suite("Sweep schedule")
struct SweepScheduleTests {
    @Test(
        "sweeps few entries per insertion, whether or not any can be removed",
        arguments: [0, 1]
    )
    func work(kept: Int) {
        var schedule = SweepSchedule(minimum: 64)
        var (count, steps) = (0, 0)
        for _ in 0..<100_000 {
            if schedule.isDue(with: count) {
                steps += count
                count *= kept
                schedule.swept(leaving: count)
            }
            count += 1
        }
        #expect(steps > 0)
        #expect(steps <= 200_000)
    }

    @Test("doesn't sweep a small table")
    func small() {
        #expect(!SweepSchedule(minimum: 64).isDue(with: 63))
        #expect(SweepSchedule(minimum: 64).isDue(with: 64))
    }
}
