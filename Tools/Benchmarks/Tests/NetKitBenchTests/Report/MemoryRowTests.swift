import Testing

@testable import NetKitBench

@Suite("Memory row")
struct MemoryRowTests {
    private let row = MemoryRow(
        Client.netKitAsync,
        [
            PendingMemory(
                calls: 1000,
                inFlight: 8,
                before: 1 << 20,
                pending: (1 << 20) + 4_096_000
            ),
            PendingMemory(
                calls: 1000,
                inFlight: 6,
                before: 1 << 20,
                pending: (1 << 20) + 2_048_000
            ),
            PendingMemory(
                calls: 1000,
                inFlight: 8,
                before: 1 << 20,
                pending: (1 << 20) + 3_072_000
            ),
        ]
    )

    @Test("divides the added memory by the number of calls")
    func perCall() {
        #expect(row.bytesPerCall.median == 3072)
        #expect(row.bytesPerCall.maximum == 4096)
        #expect(row.inFlight == 6)
    }

    @Test("encodes to one line of JSON with keys in a fixed order, and to one table row")
    func text() {
        #expect(
            row.json == """
                {"suite":"growth","client":"netkit-async","pending":1000,"in_flight":6,\
                "kib_per_call":3.0}
                """
        )
        let lines = Table([row]).text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[1].contains("994") && lines[1].hasSuffix("3.0 [2.0–4.0]"))
    }
}
