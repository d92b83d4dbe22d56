import Testing

@testable import NetKitSupport

@Suite("Heap")
struct HeapTests {
    /// A key that counts how often it is compared.
    private struct Counted: Comparable {
        final class Work { var comparisons = 0 }

        let value: Int
        let work: Work

        static func == (one: Counted, other: Counted) -> Bool { one.value == other.value }

        static func < (one: Counted, other: Counted) -> Bool {
            one.work.comparisons += 1
            return one.value < other.value
        }
    }

    @Test(
        "returns elements in key order after any insertions, moves and removals",
        arguments: 1...20
    )
    func order(seed: UInt64) {
        var random = SplitMix(state: seed)
        var heap = Heap<Int, Int>()
        var model: [Int: (handle: Heap<Int, Int>.Handle, key: Int)] = [:]
        for step in 0..<400 {
            switch (Int.random(in: 0..<4, using: &random), model.keys.min()) {
            case (0, let element?):
                let removed = model.removeValue(forKey: element).map { heap.remove($0.handle) }
                #expect(removed == element)
            case (1, let element?):
                let key = Int.random(in: 0..<100, using: &random)
                model[element]?.key = key
                let isMoved = model[element].map { heap.move($0.handle, to: key) }
                #expect(isMoved == true)
            default:
                let key = Int.random(in: 0..<100, using: &random)
                model[step] = (heap.insert(step, at: key), key)
            }
            #expect(heap.count == model.count)
            #expect(heap.firstKey == model.values.map(\.key).min())
        }
        let early = model.filter { $0.value.key <= 50 }
        let found = heap.elements(through: 50).map(\.element)
        #expect(Set(found) == Set(early.keys))
        #expect(found.compactMap { model[$0]?.key } == early.values.map(\.key).sorted())
        var keys: [Int?] = []
        while let element = heap.popFirst() { keys.append(model[element]?.key) }
        #expect(keys == model.values.map(\.key).sorted())
    }

    @Test("ignores a removed element's handle, even after its slot is reused")
    func staleHandles() {
        var heap = Heap<Int, String>()
        let gone = heap.insert("gone", at: 1)
        heap.remove(gone)
        _ = heap.insert("new", at: 5)
        let (removed, isMoved) = (heap.remove(gone), heap.move(gone, to: 0))
        #expect(removed == nil)
        #expect(!isMoved)
        #expect(heap.firstKey == 5)
        #expect(heap.first == "new")
    }

    @Test("compares few keys, however many elements there are")
    func work() {
        let work = Counted.Work()
        var heap = Heap<Counted, Int>()
        let count = 100_000
        let handles = (0..<count)
            .map { index in
                heap.insert(index, at: Counted(value: index * 7919 % count, work: work))
            }
        for handle in handles.prefix(count / 2) { heap.remove(handle) }
        for handle in handles.suffix(count / 4) {
            heap.move(handle, to: Counted(value: 0, work: work))
        }
        while heap.popFirst() != nil {}
        // The binary logarithm of 100,000 is 17; two comparisons for each level.
        #expect(work.comparisons < 3 * count * 2 * 17)
    }

    @Test(
        "ignores the handles of elements from before it released its memory",
        arguments: [1, 1024, 1025]
    )
    func staleHandles(count: Int) {
        var heap = Heap<Int, Int>()
        let handles = (0..<count).map { heap.insert($0, at: $0) }
        for element in 0..<count { #expect(heap.popFirst() == element) }
        for handle in handles { #expect(heap.remove(handle) == nil) }
        for handle in handles { #expect(heap.move(handle, to: 0) == false) }
        let later = heap.insert(7, at: 7)
        #expect(!handles.contains(later))
        for handle in handles { #expect(heap.remove(handle) == nil) }
        #expect(heap.remove(later) == 7)
    }
}
