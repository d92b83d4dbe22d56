import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Open brackets")
struct OpenBracketsTests {
    @Test("close in reverse order, however many there are")
    func order() {
        var random = SplitMix(state: 1)
        var brackets = OpenBrackets()
        var model: [OpenBrackets.Kind] = []
        for _ in 0..<10_000 {
            let kind: OpenBrackets.Kind = Bool.random(using: &random) ? .brace : .square
            if Int.random(in: 0..<5, using: &random) < 3 {
                brackets.push(kind)
                model.append(kind)
            } else {
                let isClosed = brackets.pop(kind)
                #expect(isClosed == (model.last == kind))
                if isClosed { model.removeLast() }
            }
            #expect(brackets.count == model.count)
        }
        #expect(model.count > 200)
        while let kind = model.popLast() {
            let isClosed = brackets.pop(kind)
            #expect(isClosed)
        }
        for kind in [OpenBrackets.Kind.square, .brace] {
            let isClosed = brackets.pop(kind)
            #expect(!isClosed)
        }
        #expect(brackets.count == 0)
    }

    @Test("know both kinds by either bracket")
    func kinds() {
        for byte in "[]".utf8 { #expect(OpenBrackets.Kind(byte) == .square) }
        for byte in "{}".utf8 { #expect(OpenBrackets.Kind(byte) == .brace) }
    }
}
