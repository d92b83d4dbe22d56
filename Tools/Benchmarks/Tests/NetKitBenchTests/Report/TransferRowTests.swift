import Testing

@testable import NetKitBench

@Suite("Transfer row")
struct TransferRowTests {
    private let rows = TransferRow.rows(
        direction: .upload,
        costs: [
            .rawUploadTask: [
                cost(seconds: 10, cpu: 9, peak: 40), cost(seconds: 20, cpu: 10, peak: 48),
            ],
            .netKitFile: [cost(seconds: 2, cpu: 1, peak: 70), cost(seconds: 5, cpu: 2, peak: 60)],
            .netKitMultipart: [
                cost(seconds: 2, cpu: 1, peak: 32), cost(seconds: 4, cpu: 1, peak: 33),
            ],
        ]
    )

    private static func cost(seconds: Double, cpu: Double, peak: Int) -> TransferCost {
        TransferCost(
            bytes: 1_000_000_000,
            seconds: seconds,
            cpuSeconds: cpu,
            idleRSS: 30 << 20,
            peakRSS: peak << 20
        )
    }

    @Test("compares clients round by round and keeps the report's order")
    func compares() throws {
        #expect(rows.map(\.client) == [.rawUploadTask, .netKitFile, .netKitMultipart])
        let row = rows[1]
        #expect(row.rateVersusBaseline.median == 4.5)
        #expect(row.rate.minimum == 2e8)
        #expect(row.rate.maximum == 5e8)
        #expect(row.memoryOverIdle == 40 << 20)
    }

    @Test("states whether each goal is met, for NetKit only")
    func goals() {
        #expect(rows[0].goals.isEmpty)
        #expect(rows[1].goals.map(\.holds) == [false, false])
        #expect(rows[2].goals.map(\.holds) == [true, true])
        #expect(
            rows[2].goals.map(\.summary) == [
                """
                goal: NetKit, multipart of a file: at least 5.0 × the rate of \
                raw uploadTask(with:fromFile:): holds, 5.00
                """,
                """
                goal: NetKit, multipart of a file: at most 32 MiB over the idle process: \
                holds, 3.00
                """,
            ]
        )
    }

    @Test("encodes to one line of JSON with keys in a fixed order, like a goal")
    func json() {
        #expect(
            rows[1].json == """
                {"suite":"upload","client":"netkit-file","mb_per_second":350.0,\
                "mb_per_second_min":200.0,"mb_per_second_max":500.0,"rate_vs_baseline":4.500,\
                "cpu_seconds":1.500,"idle_rss_mib":30.0,"mib_over_idle":40.0}
                """
        )
        #expect(
            rows[1].goals.first?.json == """
                {"suite":"upload","client":"netkit-file","goal":"rate_vs_baseline","limit":5.0,\
                "value":4.500,"holds":false}
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
