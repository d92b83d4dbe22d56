import NetKitSupport
import Testing

@Suite("Shared work")
struct SharedWorkTests {
    @Test("is forgotten by a chain of works, each begun in a task of the one before")
    func chain() async {
        #expect(await parts(after: 20) == 1)
    }

    /// Returns the number of parts in the last task of a chain of works.
    private func parts(after works: Int) async -> Int {
        guard works > 0 else { return SharedWork.parts.count }
        let (isOver, end) = AsyncStream.makeStream(of: Void.self)
        let next = await SharedWork()
            .run {
                Task {
                    for await _ in isOver {}
                    return await parts(after: works - 1)
                }
            }
        end.finish()
        return await next.value
    }
}
