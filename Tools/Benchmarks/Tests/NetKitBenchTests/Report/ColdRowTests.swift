import Testing

@testable import NetKitBench

@Suite("Cold row")
struct ColdRowTests {
    private let rows = ColdRow.rows([
        .raw: [times(0.01, 0.02), times(0.02, 0.04), times(0.02, 0.03)],
        .asyncHTTPClient: [times(0.005, 0.01), times(0.01, 0.02), times(0.01, 0.02)],
        .netKit: [times(0.01, 0.03), times(0.02, 0.05), times(0.02, 0.06)],
    ])

    private static func times(_ main: Double, _ value: Double) -> ColdStartTimes {
        ColdStartTimes(toMain: main, toValue: value)
    }

    @Test("compares clients round by round and keeps the report's order")
    func compares() {
        #expect(rows.map(\.client) == [.raw, .netKit, .asyncHTTPClient])
        #expect(rows.map(\.toValue.median) == [0.03, 0.05, 0.02])
        // Round by round 1.5, 1.25 and 2: the medians' own ratio would be 1.67.
        #expect(rows[1].versusRaw.median == 1.5)
        #expect(rows[1].versusAsyncHTTPClient.median == 3)
    }

    @Test("is nil unless both compared clients were measured")
    func nothing() {
        #expect(ColdRow.rows([.netKit: [Self.times(1, 2)]]).isEmpty)
    }

    @Test("encodes to one line of JSON with keys in a fixed order")
    func json() {
        #expect(
            rows[1].json == """
                {"suite":"cold","client":"netkit","ms_to_main":20.00,"ms_to_value":50.00,\
                "time_vs_raw_tuned":1.500,"time_vs_async_http_client":3.000}
                """
        )
    }
}
