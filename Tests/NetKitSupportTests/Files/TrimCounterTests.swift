import Testing

@testable import NetKitSupport

@Suite("Trimming memory")
struct TrimCounterTests {
    @Test("is due once per interval, and counts anew after it")
    func counting() {
        var counter = TrimCounter(every: 10)
        let due = [4, 5, 1, 9, 0, 1, 25, 10, 9].map { counter.add($0) }
        #expect(due == [false, false, true, false, false, true, true, true, false])
    }

    #if canImport(Glibc)
    @Test("finds glibc's function, which the C library's module doesn't export")
    func lookup() {
        #expect(FreeMemory.trim != nil)
        FreeMemory.giveBack()
    }
    #endif
}
