import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Response order")
struct ResponseOrderTests {
    typealias Part = ResponseOrder.Part
    typealias Verdict = ResponseOrder.Verdict

    @Test(
        "accepts informational heads, a head, body pieces and an end, and nothing else",
        arguments: [
            ([.head(status: 200), .body(bytes: 1), .end], [.forward, .forward, .forward]),
            (
                [.head(status: 100), .head(status: 199), .head(status: 204), .end],
                [.drop, .drop, .forward, .forward]
            ),
            ([.head(status: 101), .end], [.forward, .forward]),
            (
                [.head(status: 99), .body(bytes: 1), .end],
                [.refuse(.status("99")), .drop, .drop]
            ),
            ([.head(status: 0)], [.refuse(.status("0"))]),
            ([.head(status: 1000)], [.refuse(.status("1000"))]),
            ([.body(bytes: 1), .head(status: 200)], [.refuse(.unexpected), .drop]),
            ([.end], [.refuse(.unexpected)]),
            ([.head(status: 200), .head(status: 200)], [.forward, .refuse(.unexpected)]),
            (
                [.head(status: 200), .end, .head(status: 200)],
                [.forward, .forward, .refuse(.unexpected)]
            ),
            ([.head(status: 100), .end], [.drop, .refuse(.unexpected)]),
            (
                [.head(status: 200, coding: "gzip"), .body(bytes: 1)],
                [.refuse(.transferCoding("gzip")), .drop]
            ),
            (
                [.head(status: 103, coding: "gzip"), .head(status: 204, coding: "gzip"), .end],
                [.drop, .forward, .forward]
            ),
            ([.head(status: 304, coding: "gzip"), .end], [.forward, .forward]),
        ] as [([Part], [Verdict])]
    )
    func whole(parts: [Part], verdicts: [Verdict]) {
        var order = ResponseOrder()
        order.beginRequest()
        order.endRequest()
        let received = parts.map { order.receive($0) }
        #expect(received == verdicts)
    }

    @Test("accepts any transfer coding of a response to HEAD, and not of the next one")
    func head() {
        var order = ResponseOrder()
        order.beginRequest(isHead: true)
        order.endRequest()
        let parts: [Part] = [.head(status: 200, coding: "gzip"), .end]
        var verdicts = parts.map { order.receive($0) }
        order.beginRequest()
        verdicts.append(order.receive(.head(status: 200, coding: "gzip")))
        #expect(verdicts == [.forward, .forward, .refuse(.transferCoding("gzip"))])
    }

    @Test("shows the printable beginning of a transfer coding")
    func words() {
        let coding = "gz\tip\u{7F}é" + String(repeating: "x", count: 100)
        let shown = "gz?ip??" + String(repeating: "x", count: 53)
        #expect(
            MalformedResponse.transferCoding(coding).description
                == "the response's transfer coding is \"\(shown)\", not \"chunked\""
        )
    }

    @Test("rejects every part without a request")
    func unasked() {
        for part in [Part.head(status: 200), .body(bytes: 1), .end] {
            var order = ResponseOrder()
            let verdict = order.receive(part)
            #expect(verdict == .refuse(.unexpected))
        }
    }

    /// An exchange whose response has ended before its request.
    private func early(status: UInt) -> (order: ResponseOrder, verdicts: [Verdict]) {
        var order = ResponseOrder()
        order.beginRequest()
        let parts: [Part] = [.head(status: status), .body(bytes: 7), .end]
        let verdicts = parts.map { order.receive($0) }
        return (order, verdicts)
    }

    @Test("holds the end of a success until its request has been sent")
    func earlySuccess() {
        var (order, verdicts) = early(status: 200)
        #expect(verdicts == [.forward, .forward, .keep])
        let taken = [order.takesKeptEnd()]
        order.endRequest()
        let takenLater = [order.takesKeptEnd(), order.takesKeptEnd()]
        #expect(taken + takenLater == [false, true, false])
        let answer = order.fail()
        #expect(answer == nil)
        order.beginRequest()
        let next = order.receive(.head(status: 200))
        #expect(next == .forward)
    }

    @Test("treats a connection lost after an early success as its end, once")
    func lostSuccess() {
        var order = early(status: 200).order
        let answers = [order.fail(), order.fail()]
        #expect(answers == [EarlyAnswer(bodyBytes: 7), nil])
    }

    @Test(
        "ends early for any other status",
        arguments: [300, 307, 401, 503] as [UInt]
    )
    func earlyRefusal(status: UInt) {
        var (order, verdicts) = early(status: status)
        #expect(verdicts == [.forward, .forward, .forwardEarlyEnd])
        order.beginRequest()
        let next = order.receive(.head(status: 200))
        #expect(next == .drop)
    }

    @Test("fails on a lost connection before the response is complete")
    func lost() {
        var order = ResponseOrder()
        var answers = [order.fail()]
        order.beginRequest()
        #expect(order.isWaiting)
        answers.append(order.fail())
        _ = order.receive(.head(status: 200))
        #expect(!order.isWaiting)
        answers.append(order.fail())
        #expect(answers == [nil, nil, nil])
    }
}
