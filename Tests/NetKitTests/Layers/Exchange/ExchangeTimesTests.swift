import Testing

@testable import NetKit

@Suite("Exchange times")
struct ExchangeTimesTests {
    @Test(
        "has the phases that were observed",
        arguments: [
            (ExchangeTimes(start: 30, head: 50, end: 90), 20, 20, 40),
            (ExchangeTimes(start: 30, head: nil, end: 90), 20, nil, nil),
            (ExchangeTimes(start: nil, head: nil, end: 90), 80, nil, nil),
            (ExchangeTimes(), 0, nil, nil),
            // A clock that is read on several threads may seem to go back.
            (ExchangeTimes(start: 5, head: 4, end: 3), 0, 0, 0),
        ] as [(ExchangeTimes, Int, Int?, Int?)]
    )
    func phases(times: ExchangeTimes, queued: Int, head: Int?, body: Int?) {
        let expected = ExchangePhases(
            queue: .nanoseconds(queued),
            head: head.map { .nanoseconds($0) },
            body: body.map { .nanoseconds($0) }
        )
        #expect(times.phases(since: 10, over: nil) == expected)
    }
}
