import Testing

@testable import NetKitBench

@Suite("The goal over AsyncHTTPClient")
struct EngineGoalTests {
    private func goal(_ own: Double, inFlight: Int = 16) -> EngineGoal? {
        EngineGoal(
            inFlight: inFlight,
            costs: [
                .asyncHTTPClient: [cost(seconds: 1), cost(seconds: 2)],
                .netKitOverAsyncHTTPClient: [cost(seconds: own), cost(seconds: 2 * own)],
            ]
        )
    }

    private func cost(seconds: Double) -> RunCost {
        RunCost(calls: 1000, seconds: seconds, cpuSeconds: 1, peakRSS: 1)
    }

    @Test("is nine tenths of AsyncHTTPClient's rate in the same round")
    func verdict() throws {
        #expect(goal(1)?.holds == true)
        #expect(goal(1.1)?.holds == true)
        #expect(goal(1.25)?.holds == false)
        #expect(goal(2)?.ratio.median == 0.5)
        #expect(EngineGoal(inFlight: 16, costs: [.netKitAsync: [cost(seconds: 1)]]) == nil)
    }

    @Test("is for many calls at a time, and only a figure for one")
    func oneAtATime() {
        #expect(goal(2, inFlight: 1)?.holds == nil)
        #expect(goal(2, inFlight: 1)?.summary.contains("missed") == false)
        #expect(goal(2)?.summary.hasSuffix("is missed") == true)
    }

    @Test("is one line of JSON with its keys in a fixed order")
    func json() {
        #expect(
            goal(2)?.json == """
                {"suite":"small","in_flight":16,"goal":"rate_vs_async_http_client",\
                "limit":0.9,"value":0.500,"holds":false}
                """
        )
    }
}
