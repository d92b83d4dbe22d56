import Testing

@testable import NetKitSupport

@Suite("Texts as keys")
struct ExactTextTests {
    private static let texts = [
        "", "a", "A", "ab", "aB", "ba", "a-", "é", "e\u{301}", "É", "[", "{", "@", "`", "K",
        "\u{212A}",
    ]

    @Test("are equal byte by byte, or as names but for the case of ASCII letters", arguments: texts)
    func equality(text: String) {
        let folded = text.utf8.map { HTTPToken.folded($0) }
        for other in Self.texts {
            let isExact = Array(text.utf8) == Array(other.utf8)
            #expect((ExactText(text) == ExactText(other)) == isExact)
            #expect(Set([ExactText(text), ExactText(other)]).count == (isExact ? 1 : 2))
            let isName = folded == other.utf8.map { HTTPToken.folded($0) }
            #expect((FoldedName(text) == FoldedName(other)) == isName)
            #expect(Set([FoldedName(text), FoldedName(other)]).count == (isName ? 1 : 2))
        }
    }

    @Test("have other hashes in a list when the same bytes are divided elsewhere")
    func boundaries() {
        let text = "x-netkit-request"
        let lists = text.indices.map { [String(text[..<$0]), String(text[$0...])] }
        #expect(Set(lists.map { $0.map { ExactText($0) }.hashValue }).count == lists.count)
        #expect(Set(lists.map { $0.map { FoldedName($0) }.hashValue }).count == lists.count)
    }
}
