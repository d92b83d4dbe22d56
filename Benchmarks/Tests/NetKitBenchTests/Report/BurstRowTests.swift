import Testing

@testable import NetKitBench

@Suite("Burst row")
struct BurstRowTests {
    private let clients: [Client] = [.rawTuned, .netKitAsync, .netKitCallbacks]
    private let costs: [Client: [RunCost]] = [
        .rawTuned: [cost(2, 10), cost(1, 12), cost(4, 11)],
        .netKitAsync: [cost(5, 20), cost(1.2, 24), cost(4, 22)],
        .netKitCallbacks: [cost(4, 9), cost(2, 9), cost(8, 9)],
        .rawDefault: [cost(1, 1)],
    ]
    private var rows: [BurstRow] { BurstRow.rows(clients: clients, calls: 1000, costs: costs) }

    private static func cost(_ seconds: Double, _ mebibytes: Int) -> RunCost {
        RunCost(calls: 1000, seconds: seconds, cpuSeconds: 0, peakRSS: mebibytes << 20)
    }

    @Test("compares within rounds, keeps the report's order, and has the most memory of any round")
    func compares() throws {
        #expect(rows.map(\.client) == clients)
        #expect(rows.map(\.calls) == [1000, 1000, 1000])
        #expect(rows.map(\.seconds) == [2, 4, 4])
        // Round by round 2.5, 1.2 and 1: the medians' own ratio would be 2.
        #expect(rows.map(\.timeVersusRawTuned.median) == [1, 1.2, 2])
        #expect(rows.map(\.timeVersusRawTuned.maximum) == [1, 2.5, 2])
        #expect(rows.map(\.peakRSS) == [12 << 20, 24 << 20, 9 << 20])
    }

    @Test(
        "holds NetKit over URLSession alone to the goal",
        arguments: [(1.3, true), (1.31, false)]
    )
    func goal(seconds: Double, holds: Bool) {
        #expect(rows.map(\.holds) == [nil, true, nil])
        let costs: [Client: [RunCost]] = [
            .rawTuned: [Self.cost(1, 1)], .netKitAsync: [Self.cost(seconds, 1)],
        ]
        let rows = BurstRow.rows(clients: clients, calls: 1, costs: costs)
        #expect(rows.map(\.holds) == [nil, holds])
    }

    @Test("is none without raw URLSession to compare with")
    func nothing() {
        let costs = [Client.netKitAsync: [Self.cost(1, 1)]]
        #expect(BurstRow.rows(clients: clients, calls: 1, costs: costs).isEmpty)
    }

    @Test("is one line of JSON with its keys in a fixed order, and one of the table")
    func text() {
        #expect(
            rows.dropFirst().first?.json == """
                {"suite":"burst","client":"netkit-async","calls":1000,"seconds":4.000,\
                "time_vs_raw_tuned":1.200,"peak_rss_mib":24.0,"holds":true}
                """
        )
        #expect(rows.first?.json.hasSuffix(#","holds":null}"#) == true)
        let lines = Table(rows).text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[2].contains("holds") && !lines[1].contains("holds"))
    }
}
