import Testing

@testable import NetKitBench

@Suite("Time row")
struct TimeRowTests {
    private let clients: [Client] = [.rawTuned, .asyncHTTPClient, .netKitAsync]
    private let costs: [Client: [RunCost]] = [
        .rawTuned: [cost(2, 10), cost(1, 12), cost(4, 11)],
        .asyncHTTPClient: [cost(1, 9), cost(0.5, 9), cost(2, 9)],
        .netKitAsync: [cost(5, 20), cost(1.2, 24), cost(4, 22)],
        .rawDefault: [cost(1, 1)],
    ]

    private static func cost(_ seconds: Double, _ mebibytes: Int) -> RunCost {
        RunCost(calls: 1000, seconds: seconds, cpuSeconds: seconds / 2, peakRSS: mebibytes << 20)
    }

    private func rows(runs: Int = 1) -> [TimeRow] {
        TimeRow.rows(
            suite: "growth",
            Comparison.Condition(name: "calls", value: 1000),
            clients: clients,
            baselines: [.rawTuned, .asyncHTTPClient],
            costs: costs,
            runs: runs
        )
    }

    @Test("compares clients round by round and reports the peak memory of all rounds")
    func compares() {
        let rows = rows()
        #expect(rows.map(\.client) == clients.map(\.rawValue))
        #expect(rows.map(\.seconds.median) == [2, 1, 4])
        // Round by round 2.5, 1.2 and 1: the medians' own ratio would be 2.
        #expect(rows.map { $0.ratios[0].spread.median } == [1, 0.5, 1.2])
        #expect(rows.map { $0.ratios[1].spread.median } == [2, 1, 2.4])
        #expect(rows.map(\.peakRSS) == [12 << 20, 9 << 20, 24 << 20])
    }

    @Test("divides the time by the number of runs")
    func runs() {
        #expect(rows(runs: 10).map(\.seconds.median) == [0.2, 0.1, 0.4])
        #expect(rows(runs: 10).map(\.cpuSeconds) == [0.1, 0.05, 0.2])
        #expect(rows(runs: 10).map(\.ratios) == rows().map(\.ratios))
    }

    @Test("encodes to one line of JSON with keys in a fixed order, and to one table row")
    func text() {
        let rows = rows()
        #expect(
            rows.last?.json == """
                {"suite":"growth","client":"netkit-async","calls":1000,"seconds":4.000000,\
                "per_second":250.0,"time_vs_raw_tuned":1.200,"time_vs_async_http_client":2.400,\
                "cpu_seconds":2.000000,"peak_rss_mib":24.0}
                """
        )
        let lines = Table(rows, unit: "calls").text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(Set(lines.map(\.count)).count == 1)
    }

    @Test(
        "formats a time in milliseconds with three digits",
        arguments: [(0.0012, "1.20"), (2, "2000")]
    )
    func milliseconds(seconds: Double, text: String) {
        #expect(Table.milliseconds(seconds) == text)
    }
}
