import Testing

@testable import NetKitSupport

@Suite("Waiting lines")
struct WaitingLinesTests {
    @Test("is first in, first out, and allows removal anywhere", arguments: 1...20)
    func order(seed: UInt64) {
        var random = SplitMix(state: seed)
        var waiting = WaitingLines<Int>()
        var lines = Array(repeating: WaitingLines<Int>.Line(), count: 3)
        var model: [[(place: WaitingLines<Int>.Place, element: Int)]] = [[], [], []]
        for element in 0..<2000 {
            let line = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !model[line].isEmpty:
                let expected = model[line].removeFirst().element
                #expect(waiting.popFirst(of: &lines[line]) == expected)
            case 1 where !model[line].isEmpty:
                let index = Int.random(in: model[line].indices, using: &random)
                let (place, expected) = model[line].remove(at: index)
                #expect(waiting.remove(place, from: &lines[line]) == expected)
                #expect(waiting.remove(place, from: &lines[line]) == nil)
            default:
                model[line].append((waiting.append(element, to: &lines[line]), element))
            }
            #expect(waiting.count == model.joined().count)
        }
        for line in 0..<3 {
            var rest: [Int] = []
            while let element = waiting.popFirst(of: &lines[line]) { rest.append(element) }
            #expect(rest == model[line].map(\.element))
            #expect(waiting.firstNumber(of: lines[line]) == nil)
        }
    }

    @Test("ignores a place after its memory was released", arguments: [1024, 1025, 2000])
    func stalePlaces(count: Int) {
        var waiting = WaitingLines<Int>()
        var line = WaitingLines<Int>.Line()
        let places = (0..<count).map { waiting.append($0, to: &line) }
        while waiting.popFirst(of: &line) != nil {}
        for place in places { #expect(waiting.remove(place, from: &line) == nil) }
        _ = waiting.append(-1, to: &line)
        for place in places { #expect(waiting.remove(place, from: &line) == nil) }
        #expect(waiting.popFirst(of: &line) == -1)
    }

    @Test("returns the age of its first element")
    func numbers() {
        var waiting = WaitingLines<String>()
        var (one, two) = (WaitingLines<String>.Line(), WaitingLines<String>.Line())
        #expect(waiting.firstNumber(of: one) == nil)
        _ = waiting.append("a", to: &one)
        _ = waiting.append("b", to: &two)
        _ = waiting.append("c", to: &one)
        #expect(waiting.firstNumber(of: one) == 1)
        #expect(waiting.firstNumber(of: two) == 2)
        #expect(waiting.popFirst(of: &one) == "a")
        #expect(waiting.firstNumber(of: one) == 3)
    }
}
