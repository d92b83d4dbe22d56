import Testing

@testable import NetKitBench

@Suite("Process status")
struct ProcStatusTests {
    private let status = """
        Name:\tnetkit-bench
        VmHWM:\t    1968 kB
        VmRSS:\t    1760 kB
        """

    @Test(
        "parses a value in bytes",
        arguments: [("VmHWM", 1968 * 1024), ("VmRSS", 1760 * 1024), ("VmSwap", nil), ("Name", nil)]
    )
    func finds(name: String, bytes: Int?) {
        #expect(ProcStatus.bytes(name, in: status) == bytes)
    }
}
