import Testing

@testable import NetKit

@Suite("Long redirects over URLSession")
struct LongRedirectTests {
    /// How often a task is looked at until its redirect is overdue; nil for never.
    private func looks(_ redirect: LongRedirect, expecting length: Int64) -> Int? {
        var redirect = redirect
        return (1...100).first { _ in redirect.isOverdue(expecting: length) }
    }

    @Test(
        "are overdue after eight seconds, if their bodies are long or of an unknown length",
        arguments: [(-1, 9), (1 << 20, 9), (0, nil), (1000, nil)] as [(Int64, Int?)]
    )
    func lengths(length: Int64, expected: Int?) {
        #expect(looks(LongRedirect(isSent: true), expecting: length) == expected)
    }

    @Test("aren't seen while the body is sent, nor at all after an informational response")
    func unseen() {
        var redirect = LongRedirect(isSent: false)
        #expect(looks(redirect, expecting: -1) == nil)
        redirect.hasInterim = true
        #expect(looks(redirect, expecting: -1) == nil)
        redirect.isSent = true
        #expect(looks(redirect, expecting: -1) == nil)
    }
}
