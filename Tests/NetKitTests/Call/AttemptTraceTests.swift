import Testing

@testable import NetKit

@Suite("Attempt history")
struct AttemptTraceTests {
    @Test(
        "prints one line for each attempt, with three significant digits",
        arguments: [
            (
                .response(503), .retry(after: .microseconds(214_321)),
                "503 Service Unavailable in 12.3 ms, retried after 214 ms"
            ),
            (.response(200), .done, "200 OK in 12.3 ms"),
            (
                .failure("the connection was lost"), .interceptor,
                "the connection was lost in 12.3 ms, sent again by an interceptor"
            ),
            (
                .response(404), .stop(.notTransient),
                "404 Not Found in 12.3 ms, not retried: it would fail again"
            ),
            (
                .response(503), .stop(.retryAfterTooLong(.seconds(90))),
                "503 Service Unavailable in 12.3 ms, not retried: the server asks for a delay of 90 s, more than 60 s"
                    + " (RetryPolicy.maximumRetryAfter)"
            ),
            (
                .response(503), .retry(after: .zero),
                "503 Service Unavailable in 12.3 ms, retried at once"
            ),
        ] as [(AttemptTrace.Outcome, AttemptTrace.Next, String)]
    )
    func line(outcome: AttemptTrace.Outcome, next: AttemptTrace.Next, expected: String) {
        let trace = AttemptTrace(
            number: 2,
            outcome: outcome,
            duration: .nanoseconds(12_345_678),
            next: next,
            unrecoveredResponse: nil,
            maximumRetryAfter: .seconds(60)
        )
        #expect("\(trace)" == "attempt 2: \(expected)")
    }
}
