import Testing

@testable import NetKitBench

@Suite("Spread of measurements")
struct SpreadTests {
    @Test(
        "computes the median and the quartiles, interpolating between two values",
        arguments: [
            ([3.0], 3.0, 3.0, 3.0),
            ([4, 1, 3, 2, 5], 2, 3, 4),
            ([4, 1, 3, 2], 1.75, 2.5, 3.25),
        ]
    )
    func quantiles(values: [Double], lower: Double, median: Double, upper: Double) {
        let spread = Spread(values)
        #expect(spread.lowerQuartile == lower)
        #expect(spread.median == median)
        #expect(spread.upperQuartile == upper)
    }

    @Test("pairs values by round, so a slow machine doesn't skew the ratio")
    func pairs() {
        let own: [Double] = [100, 200, 2000]
        let base: [Double] = [50, 100, 1000]
        #expect(Spread(own, over: base) == Spread([2, 2, 2]))
    }
}
