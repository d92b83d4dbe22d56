import Testing

@testable import NetKitBench

@Suite("Growth")
struct GrowthTests {
    private let growth: Growth

    init() {
        var growth = Growth()
        growth.add(
            [.netKitAsync: [Self.cost(1000, 1)], .rawTuned: [Self.cost(1000, 2)]],
            clients: [Client.rawTuned, .netKitAsync, .netKitCallbacks]
        )
        growth.add(
            [.netKitAsync: [Self.cost(10_000, 16)], .rawTuned: [Self.cost(10_000, 30)]],
            clients: [Client.rawTuned, .netKitAsync, .netKitCallbacks]
        )
        self.growth = growth
    }

    private static func cost(_ calls: Int, _ seconds: Double) -> RunCost {
        RunCost(calls: calls, seconds: seconds, cpuSeconds: 0, peakRSS: 0)
    }

    @Test("has the cost of a call for each number of calls and each measured client")
    func points() {
        #expect(growth.lines.map(\.client) == ["raw-tuned", "netkit-async"])
        #expect(
            growth.lines.map { $0.points.map(\.microseconds) } == [[2000, 3000], [1000, 1600]]
        )
    }

    @Test("is linear when the cost per call grows by at most half")
    func linear() {
        #expect(growth.lines.map(\.ratio) == [1.5, 1.6])
        #expect(growth.lines.map(\.isLinear) == [true, false])
    }

    @Test("is nil for a single number of calls")
    func one() {
        var growth = Growth()
        growth.add([.netKitAsync: [Self.cost(10, 1)]], clients: [Client.netKitAsync])
        #expect(growth.lines.map(\.isLinear) == [nil])
        #expect(growth.lines.first?.json.hasSuffix(#""linear":null}"#) == true)
    }

    @Test("encodes to one line of JSON with keys in a fixed order, and to one table row")
    func text() {
        #expect(
            growth.lines.last?.json == """
                {"suite":"growth","client":"netkit-async","us_per_call_at_1000":1000.0,\
                "us_per_call_at_10000":1600.0,"last_vs_first":1.600,"limit":1.50,"linear":false}
                """
        )
        let lines = Table(growth).text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(Set(lines.map(\.count)).count == 1)
    }
}
