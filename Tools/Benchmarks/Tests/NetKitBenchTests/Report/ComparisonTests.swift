import Testing

@testable import NetKitBench

@Suite("Comparison of two clients")
struct ComparisonTests {
    private func comparison(
        _ own: Double,
        limit: Double?,
        _ quantity: Comparison.Quantity = .rate
    ) -> Comparison? {
        let costs: [Client: [RunCost]] = [
            .asyncHTTPClient: [cost(1), cost(2)],
            .netKitOverAsyncHTTPClient: [cost(own), cost(2 * own)],
        ]
        return Demand(client: .netKitOverAsyncHTTPClient, peer: .asyncHTTPClient, limit: limit)
            .comparison(
                suite: "small",
                Comparison.Condition(name: "in_flight", value: 16),
                quantity,
                of: costs,
                quantity == .rate ? \.rate : \.seconds
            )
    }

    private func cost(_ seconds: Double) -> RunCost {
        RunCost(calls: 1000, seconds: seconds, cpuSeconds: 1, peakRSS: 1)
    }

    @Test(
        "requires a rate at or above its limit and a time at or below its limit",
        arguments: [(1, true, true), (1.1, true, false), (1.25, false, false), (0.5, true, true)]
    )
    func verdict(seconds: Double, rateHolds: Bool, timeHolds: Bool) {
        #expect(comparison(seconds, limit: 0.9)?.holds == rateHolds)
        #expect(comparison(seconds, limit: 1, .time)?.holds == timeHolds)
    }

    @Test("compares clients round by round")
    func ratio() {
        #expect(comparison(2, limit: 0.9)?.ratio == Spread([0.5, 0.5]))
        #expect(comparison(2, limit: 2, .time)?.ratio == Spread([2, 2]))
    }

    @Test("has no verdict without a limit")
    func figure() {
        let figure = comparison(2, limit: nil)
        #expect(figure?.holds == nil)
        #expect(figure?.summary.contains("missed") == false)
        #expect(figure?.json.hasSuffix(#""limit":null,"holds":null}"#) == true)
    }

    @Test("is nil when either client was not measured")
    func nothing() {
        let demand = Demand(client: Client.netKitAsync, peer: .rawFloor)
        let costs: [Client: [RunCost]] = [.netKitAsync: [cost(1)]]
        let condition = Comparison.Condition(name: "in_flight", value: 1)
        #expect(demand.comparison(suite: "small", condition, .rate, of: costs, \.rate) == nil)
    }

    @Test("encodes to one line of JSON with keys in a fixed order, and to one line of text")
    func text() {
        let missed = comparison(2, limit: 0.9)
        #expect(
            missed?.json == """
                {"suite":"small","in_flight":16,"compares":"rate",\
                "client":"netkit-over-async-http-client","peer":"async-http-client",\
                "ratio":0.500,"limit":0.90,"holds":false}
                """
        )
        #expect(
            missed?.summary == """
                rate, NetKit over AsyncHTTPClient, async / AsyncHTTPClient: 0.50 [0.50–0.50], \
                to be at least 0.90: is missed
                """
        )
    }

    @Test("sets stricter limits for one call at a time than for many")
    func demands() {
        #expect(SmallSuite.demands(1).compactMap(\.limit) == [0.9, 0.95, 0.95, 0.95])
        #expect(SmallSuite.demands(256).compactMap(\.limit) == [0.9])
    }
}
