import Testing

@testable import NetKitBench

@Suite("Report row")
struct ReportRowTests {
    private let rows = ReportRow.rows(
        suite: "small",
        inFlight: 16,
        costs: [
            .rawDefault: [cost(seconds: 1, cpu: 0.75), cost(seconds: 2, cpu: 1.5)],
            .rawTuned: [cost(seconds: 0.5, cpu: 0.5), cost(seconds: 1, cpu: 1)],
            .netKitAsync: [cost(seconds: 0.8, cpu: 0.55), cost(seconds: 1.6, cpu: 1.1)],
        ]
    )

    private static func cost(seconds: Double, cpu: Double) -> RunCost {
        RunCost(calls: 1000, seconds: seconds, cpuSeconds: cpu, peakRSS: 32 << 20)
    }

    @Test("compares clients round by round and keeps the report's order")
    func compares() throws {
        #expect(rows.map(\.client) == [.rawDefault, .rawTuned, .netKitAsync])
        let row = try #require(rows.last)
        #expect(row.rateVersusRawDefault.median == 1.25)
        #expect(row.rateVersusRawTuned.median == 0.625)
    }

    @Test("encodes to one line of JSON with keys in a fixed order")
    func json() {
        #expect(
            rows.last?.json == """
                {"suite":"small","client":"netkit-async","in_flight":16,"rate":937.5,\
                "rate_vs_raw_default":1.250,"rate_vs_raw_tuned":0.625,\
                "cpu_vs_raw_tuned":1.100,"peak_rss_mib":32.0}
                """
        )
    }

    @Test("pads its cells to the width of the column")
    func table() {
        let lines = Table(rows).text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(Set(lines.map(\.count)).count == 1)
    }
}
