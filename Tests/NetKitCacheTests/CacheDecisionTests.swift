import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Use of a stored response")
struct CacheDecisionTests {
    private func decision(
        _ headers: HTTPHeaders,
        _ control: String = "",
        _ policy: CachePolicy = .standard,
        status: HTTPStatus = 200,
        isRepeated: Bool = false,
        after seconds: Double
    ) throws -> CacheDecision {
        CacheDecision(
            for: try wanted(control, policy),
            storedHead(status, headers),
            isRepeated: isRepeated,
            at: arrival + seconds
        )
    }

    private func wanted(_ control: String, _ policy: CachePolicy = .standard) throws -> CacheRequest
    {
        let url = try #require(URL(string: "http://a.example/x"))
        let headers: HTTPHeaders = control.isEmpty ? [:] : [.cacheControl: control]
        let request = EncodedRequest(url: url, method: .get, headers: headers)
        return try #require(CacheRequest(request, policy: policy))
    }

    @Test(
        "follows freshness and the directives of response and request",
        arguments: [
            ("max-age=60", "", 59, .hit), ("max-age=60", "", 60, .ask),
            ("max-age=60, no-cache", "", 1, .ask), ("max-age=60, no-cache=\"a\"", "", 1, .hit),
            ("max-age=60, must-revalidate", "", 1, .hit),
            ("max-age=60", "no-cache", 1, .ask), ("max-age=60", "max-age=30", 29, .hit),
            ("max-age=60", "max-age=30", 30, .hit), ("max-age=60", "max-age=30", 31, .ask),
            ("max-age=60", "max-age=0", 0, .ask),
            ("max-age=60", "min-fresh=30", 30, .hit), ("max-age=60", "min-fresh=30", 31, .ask),
            ("max-age=60", "max-stale", 9_000, .stale(revalidates: false)),
            ("max-age=60", "max-stale=30", 90, .stale(revalidates: false)),
            ("max-age=60", "max-stale=30", 91, .ask), ("max-age=60", "max-stale=x", 61, .ask),
            ("max-age=60", "max-age=10, max-stale", 70, .stale(revalidates: false)),
            ("max-age=60", "max-age=10, max-stale=5", 15, .hit),
            ("max-age=60", "max-age=10, max-stale=5", 16, .ask),
            ("max-age=60", "max-age=0, max-stale=5", 30, .ask),
            ("max-age=60", "max-age=10, max-stale=5", 65, .ask),
            ("max-age=60, must-revalidate", "max-stale", 61, .ask),
            ("max-age=60, no-cache", "max-stale", 61, .ask),
            ("max-age=60, stale-while-revalidate=30", "", 90, .stale(revalidates: true)),
            ("max-age=60, stale-while-revalidate=30", "", 91, .ask),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", "", 61, .ask),
            ("max-age=60, stale-while-revalidate=30", "max-age=60", 61, .ask),
            ("max-age=60, stale-while-revalidate=30", "min-fresh=1", 61, .ask),
            (
                "max-age=60, stale-while-revalidate=30", "only-if-cached", 61,
                .stale(revalidates: false)
            ),
            ("max-age=60", "only-if-cached", 59, .hit),
            ("max-age=60", "only-if-cached", 61, .refuse),
            ("max-age=60", "only-if-cached, max-stale", 61, .stale(revalidates: false)),
        ] as [(String, String, Double, CacheDecision)]
    )
    func directives(stored: String, request: String, age: Double, expected: CacheDecision) throws {
        #expect(try decision([.cacheControl: stored], request, after: age) == expected)
    }

    @Test(
        "follows the request's cache policy",
        arguments: [
            (.reload, "max-age=60", 1, .ask), (.revalidate, "max-age=60", 1, .ask),
            (.revalidate, "max-age=60, immutable", 59, .hit),
            (.revalidate, "max-age=60, immutable", 61, .ask),
            (.reload, "max-age=60, immutable", 1, .ask), (.onlyIfCached, "max-age=60", 59, .hit),
            (.onlyIfCached, "max-age=60", 9_000, .stale(revalidates: false)),
            (.onlyIfCached, "max-age=60, must-revalidate", 61, .refuse),
            (.onlyIfCached, "no-cache", 1, .refuse),
        ] as [(CachePolicy, String, Double, CacheDecision)]
    )
    func policies(
        policy: CachePolicy,
        stored: String,
        age: Double,
        expected: CacheDecision
    ) throws {
        #expect(try decision([.cacheControl: stored], "", policy, after: age) == expected)
    }

    @Test("skips a stored error after a failed attempt")
    func repeated() throws {
        let headers: HTTPHeaders = [.cacheControl: "max-age=60"]
        #expect(try decision(headers, status: 503, after: 1) == .hit)
        #expect(try decision(headers, status: 503, isRepeated: true, after: 1) == .ask)
        #expect(try decision(headers, status: 200, isRepeated: true, after: 1) == .hit)
        let own = try decision(headers, "only-if-cached", status: 503, isRepeated: true, after: 1)
        #expect(own == .hit)
    }

    @Test("sends a request on a miss, unless the policy forbids it")
    func missing() throws {
        func decide(_ control: String, _ policy: CachePolicy) throws -> CacheDecision {
            CacheDecision(for: try wanted(control, policy), nil, isRepeated: false, at: arrival)
        }
        #expect(try decide("", .standard) == .ask)
        #expect(try decide("only-if-cached", .standard) == .refuse)
        #expect(try decide("", .onlyIfCached) == .refuse)
        #expect(try decide("", .reload) == .ask)
    }

    @Test(
        "replaces an error only when stale-if-error allows it",
        arguments: [
            ("max-age=60, stale-if-error=30", "", 90, true),
            ("max-age=60, stale-if-error=30", "", 91, false), ("max-age=60", "", 61, false),
            ("max-age=60", "stale-if-error=30", 90, true),
            ("max-age=60, stale-if-error=30, must-revalidate", "", 61, false),
            ("max-age=60, stale-if-error=30, no-cache", "", 61, false),
            ("max-age=60, stale-if-error=30", "no-cache", 61, false), ("max-age=60", "", 1, false),
            ("max-age=60, stale-if-error=10", "stale-if-error=30", 90, true),
            ("max-age=60, stale-if-error=30", "stale-if-error=10", 90, true),
        ] as [(String, String, Double, Bool)]
    )
    func errors(stored: String, request: String, age: Double, isUsable: Bool) throws {
        let head = storedHead(200, [.cacheControl: stored])
        let isUsed = CacheDecision.isUsableOnError(head, try wanted(request), at: arrival + age)
        #expect(isUsed == isUsable)
        let reload = try wanted(request, .reload)
        #expect(!CacheDecision.isUsableOnError(head, reload, at: arrival + age))
    }
}
