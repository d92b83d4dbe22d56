import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Retry rules")
struct RetryRulesTests {
    private let policy = RetryPolicy(maximumRetries: 2, backoff: .constant(.seconds(1)))

    private func decide(
        _ failure: AttemptFailure,
        method: HTTPMethod = .get,
        consent: Int? = nil,
        key: Bool = false,
        retries: Int = 0
    ) -> AttemptTrace.Next {
        policy.decide(
            failure,
            method: method,
            consent: consent,
            hasIdempotencyKey: key,
            retries: retries,
            random: 0.5
        )
    }

    @Test(
        "retries transient failures",
        arguments: [
            (AttemptFailure.transport(.cannotConnect), true), (.transport(.connectionLost), true),
            (.transport(.truncatedResponse), true), (.transport(.cannotFindHost), true),
            (.transport(.notConnected), true), (.idleTimeout, true),
            (.status(503, retryAfter: nil), true), (.status(429, retryAfter: nil), true),
            (.status(408, retryAfter: nil), true), (.status(500, retryAfter: nil), true),
            (.status(404, retryAfter: nil), false), (.status(401, retryAfter: nil), false),
            (.status(501, retryAfter: nil), false), (.transport(.responseTooLarge), false),
            (.transport(.secureConnection), false), (.transport(.malformedResponse), false),
            (.transport(.unsafeRedirect), false), (.transport(.tooManyRedirects), false),
            (.transport(.unsupported), false), (.transport(.other), false),
        ]
    )
    func transience(failure: AttemptFailure, isRetried: Bool) {
        #expect(decide(failure).isRetry == isRetried)
        if !isRetried { #expect(decide(failure) == .stop(.notTransient)) }
    }

    @Test(
        "retries a non-idempotent method only with consent or a key",
        arguments: [HTTPMethod.post, .patch, .custom("FROB")]
    )
    func consent(method: HTTPMethod) {
        let failure = AttemptFailure.transport(.connectionLost)
        #expect(decide(failure, method: method) == .stop(.notRepeatable(method)))
        #expect(decide(failure, method: method, consent: 1).isRetry)
        #expect(decide(failure, method: method, key: true).isRetry)
        #expect(
            decide(failure, method: method, consent: 0, key: true) == .stop(.retriesExhausted(0))
        )
    }

    @Test("retries the methods of the policy in any form that is sent as they are")
    func forms() {
        let policy = RetryPolicy(maximumRetries: 1, methods: ["post", .custom("frob")])
        #expect(policy.repeats(.post) && policy.repeats("post") && policy.repeats("frob"))
        #expect(!policy.repeats(.get) && !policy.repeats("FROB"))
    }

    @Test("counts retries against the consent, or the policy")
    func counts() {
        #expect(decide(.idleTimeout, retries: 1).isRetry)
        #expect(decide(.idleTimeout, retries: 2) == .stop(.retriesExhausted(2)))
        #expect(decide(.idleTimeout, consent: 5, retries: 4).isRetry)
        #expect(decide(.idleTimeout, consent: 1, retries: 1) == .stop(.retriesExhausted(1)))
    }

    @Test("asks the backoff for the delay of this retry, with the given jitter")
    func growingDelays() {
        let backoff = Backoff.exponential(base: .seconds(1))
        let policy = RetryPolicy(maximumRetries: 9, backoff: backoff)
        for (retries, delay) in [(0, 500), (1, 1_000), (2, 2_000), (3, 4_000)] {
            let decision = policy.decide(
                .idleTimeout,
                method: .get,
                consent: nil,
                hasIdempotencyKey: false,
                retries: retries,
                random: 0.5
            )
            #expect(decision == .retry(after: .milliseconds(delay)))
        }
    }

    @Test("never undercuts Retry-After, and stops when it is too long")
    func retryAfter() {
        #expect(decide(.status(503, retryAfter: .seconds(7))) == .retry(after: .seconds(7)))
        #expect(decide(.status(503, retryAfter: .zero)) == .retry(after: .seconds(1)))
        #expect(
            decide(.status(503, retryAfter: .seconds(60))) == .retry(after: .seconds(60))
        )
        #expect(
            decide(.status(503, retryAfter: .seconds(61)))
                == .stop(.retryAfterTooLong(.seconds(61)))
        )
    }

    @Test(
        "follows the backoff",
        arguments: [
            (Backoff.none, 3, 1.0, Duration.zero),
            (.constant(.seconds(2)), 9, 0.1, .seconds(2)),
            (.exponential(base: .seconds(1), jitter: false), 1, 0.5, .seconds(1)),
            (.exponential(base: .seconds(1), jitter: false), 3, 0.5, .seconds(4)),
            (.exponential(base: .seconds(1), jitter: false), 60, 0.5, .seconds(30)),
            (.exponential(base: .seconds(1)), 2, 0.5, .seconds(1)),
            (.exponential(base: .seconds(1)), 2, 0, .zero),
            (.exponential(base: .seconds(1), factor: .nan, jitter: false), 5, 0, .seconds(1)),
            (.exponential(base: .seconds(4), factor: 1.5, jitter: false), 3, 0, .seconds(9)),
            (.exponential(base: .seconds(4), factor: 0.5, jitter: false), 3, 0, .seconds(4)),
            (.exponential(base: .seconds(1), factor: .infinity, jitter: false), 5, 0, .seconds(1)),
            (.constant(.seconds(-1)), 1, 1, .zero),
        ]
    )
    func backoff(backoff: Backoff, retry: Int, random: Double, expected: Duration) {
        #expect(backoff.delay(beforeRetry: retry, random: random) == expected)
    }

    @Test(
        "parses Retry-After as seconds and as every form of date",
        arguments: [
            ("0", Duration.zero), ("120", .seconds(120)), (" 5 ", .seconds(5)),
            ("99999999999999999999", .seconds(Int64.max / 4)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", .seconds(10)),
            ("Sun Nov  6 08:49:47 1994", .seconds(10)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", .zero),
            ("-1", nil), ("soon", nil), ("", nil), ("1.5", .seconds(2)), ("2.0", .seconds(2)),
            ("3, 9", .seconds(9)), ("5,5", .seconds(5)), ("3, soon", nil), ("1.5, 1", .seconds(2)),
            ("3, Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)), (",", nil), ("Sun, Mon, 3", nil),
            ("Sunday, 06-Nov-94 08:49:47 GMT, 3", .seconds(10)),
            ("1.", nil), (".5", nil), ("1.5.5", nil), ("1.5e3", nil),
            ("Sun, 06 Nov 1994 25:49:47 GMT", nil), ("Sun, 06 Foo 1994 08:49:47 GMT", nil),
        ] as [(String, Duration?)]
    )
    func retryAfterForms(text: String, expected: Duration?) {
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(RetryAfter.delay(text, now: now) == expected)
    }

    @Test(
        "parses rate-limit fields of a 429, and corrects dates by the response's Date",
        arguments: [
            (429, ["RateLimit-Reset": "7"], Duration.seconds(7)),
            (429, ["RateLimit-Reset": "0", "X-RateLimit-Reset": "7"], .zero),
            (429, ["X-RateLimit-Reset-After": "1.2"], .seconds(2)),
            (429, ["X-RateLimit-Reset": "784111787"], .seconds(10)),
            (429, ["X-RateLimit-Reset": "500000000"], .seconds(500_000_000)),
            (429, ["X-RateLimit-Reset": "500000001"], .zero),
            (429, ["X-Rate-Limit-Reset": "784111787"], .seconds(10)),
            (429, ["X-RateLimit-Retry-After": "8"], .seconds(8)),
            (429, ["RateLimit-Reset": "soon", "X-RateLimit-Reset-After": "4"], .seconds(4)),
            (429, ["RateLimit-Reset": "1e15"], nil),
            (429, ["RateLimit": "\"default\";r=0;t=30"], .seconds(30)),
            (429, ["X-RateLimit-Reset": "784111787000"], .seconds(10)),
            (429, ["RateLimit": "\"default\"; t = 4 ;r=0"], .seconds(4)),
            (429, ["RateLimit": "\"day\";r=100;t=3600"], nil),
            (429, ["RateLimit": "\"day\";r=0;t=3600, \"min\";r=10;t=5"], .seconds(3_600)),
            (429, ["RateLimit": "\"min\";r=0;t=5,\"day\";r=90;t=3600"], .seconds(5)),
            (429, ["RateLimit": "\"min\";t=5, \"day\";t=60, \"none\""], .seconds(60)),
            (429, ["RateLimit": "\"a;t=9, \\\";t=8\";t=5, \"b;t=7"], .seconds(5)),
            (429, ["RateLimit": "\"default\";t=soon"], nil), (429, ["RateLimit": "a;t=1=2"], nil),
            (429, ["Retry-After": "3", "RateLimit-Reset": "7"], .seconds(3)),
            (429, ["Retry-After": "soon", "RateLimit-Reset": "7"], .seconds(7)),
            (503, ["RateLimit-Reset": "7"], nil), (429, [:], nil),
            (429, ["RateLimit-Reset": "-1"], nil), (429, ["RateLimit": "\"default\";r=5"], nil),
            (
                503,
                [
                    "Retry-After": "Sun, 06 Nov 1994 09:00:10 GMT",
                    "Date": "Sun, 06 Nov 1994 09:00:00 GMT",
                ], .seconds(10)
            ),
        ] as [(HTTPStatus, HTTPHeaders, Duration?)]
    )
    func rateLimits(status: HTTPStatus, headers: HTTPHeaders, expected: Duration?) {
        let now = Date(timeIntervalSince1970: 784_111_777)
        let head = ResponseHead(status: status, headers: headers)
        #expect(RetryAfter.delay(of: head, now: now) == expected)
    }
}

extension AttemptTrace.Next {
    fileprivate var isRetry: Bool {
        if case .retry = self { true } else { false }
    }
}
