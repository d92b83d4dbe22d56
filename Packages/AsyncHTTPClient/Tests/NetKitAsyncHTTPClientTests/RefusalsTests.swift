import AsyncHTTPClient
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Refusals over AsyncHTTPClient")
struct RefusalsTests {
    private static let idle = UnprocessedRequest()
    private static let busy = UnprocessedRequest(hasProcessedOthers: true)

    /// How often a request is sent again when each refusal comes with so many answers to others.
    private func resends(_ refusals: [(error: any Error, answers: Int)]) -> Int {
        var rules = Refusals()
        return refusals.prefix { rules.allowsAnother(after: $0.error, answers: $0.answers) }.count
    }

    @Test("allow two resends to a server that processes nothing")
    func idle() {
        #expect(resends(Array(repeating: (Self.idle, 0), count: 5)) == 2)
        #expect(resends(Array(repeating: (HTTPClientError.cancelled, 7), count: 5)) == 2)
    }

    @Test("allow resends as long as the server processes other requests")
    func busy() {
        #expect(resends(Array(repeating: (Self.busy, 0), count: 50)) == 50)
        #expect(resends((0..<50).map { (HTTPClientError.cancelled, $0) }) == 50)
        let mixed = [
            (Self.idle, 1), (Self.idle, 1), (Self.busy, 1), (Self.idle, 1), (Self.idle, 1),
        ]
        #expect(resends(mixed + [(Self.idle, 1)]) == 5)
    }

    @Test("allow a hundred resends in all")
    func maximum() {
        #expect(resends(Array(repeating: (Self.busy, 0), count: 500)) == 100)
    }

    @Test("say how often the server refused the request, if it certainly did")
    func words() {
        var rules = Refusals()
        let lost = HTTPClientError.cancelled
        #expect(rules.error(after: Self.idle, isSent: true) is UnprocessedRequest)
        #expect(rules.error(after: lost, isSent: false) as? HTTPClientError == lost)
        _ = rules.allowsAnother(after: Self.idle, answers: 0)
        let text = "the server refused the request 2 times without processing it"
        #expect("\(rules.error(after: Self.idle, isSent: true))" == text)
        #expect("\(rules.error(after: lost, isSent: false))" == text)
        #expect(rules.error(after: lost, isSent: true) as? HTTPClientError == lost)
    }
}
