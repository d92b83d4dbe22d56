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

@Suite("Cache validation")
struct ValidationTests {
    private func request() throws -> EncodedRequest {
        EncodedRequest(url: try #require(URL(string: "http://a.example/x")), method: .get)
    }

    @Test("sends validators as they were received")
    func validators() throws {
        let both = storedHead(200, [.eTag: "W/abc", .lastModified: "yesterday"])
        let conditional = try #require(Validation.request(try request(), validating: both))
        #expect(conditional.headers[.ifNoneMatch] == "W/abc")
        #expect(conditional.headers[.ifModifiedSince] == "yesterday")
        #expect(Validation.request(try request(), validating: storedHead(200, [:])) == nil)
    }

    @Test(
        "sends one validator, and none that is invalid in a field",
        arguments: [
            ([.eTag: "a"], "a", nil), ([.lastModified: "b"], nil, "b"),
            ([.eTag: "a\nX: y", .lastModified: "b"], nil, "b"),
            ([.eTag: "a", .lastModified: "b\nX: y"], "a", nil),
        ] as [(HTTPHeaders, String?, String?)]
    )
    func oneValidator(stored: HTTPHeaders, tag: String?, modified: String?) throws {
        let conditional = Validation.request(try request(), validating: storedHead(200, stored))
        let headers = try #require(conditional).headers
        #expect(headers[.ifNoneMatch] == tag && headers[.ifModifiedSince] == modified)
    }

    @Test(
        "agrees with the head of a HEAD unless the resource has changed",
        arguments: [
            (200, [:], true),
            (200, [.eTag: "\"a\"", .lastModified: "b", .contentLength: "3"], true),
            (404, [:], false), (200, [.eTag: "\"b\""], false), (200, [.lastModified: "c"], false),
            (200, [.contentLength: "4"], false), (200, [.age: "1", "X": "1"], true),
        ] as [(HTTPStatus, HTTPHeaders, Bool)]
    )
    func agreement(status: HTTPStatus, headers: HTTPHeaders, agrees: Bool) {
        let stored = storedHead(
            200,
            [.eTag: "\"a\"", .lastModified: "b", .contentLength: "3"]
        )
        let head = ResponseHead(status: status, headers: headers)
        #expect(Validation.agrees(head, with: stored) == agrees)
    }

    @Test(
        "accepts a 304 without an entity tag or with the same one",
        arguments: [
            (nil, "\"a\"", true), ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true),
            ("\"a\"", "W/\"a\"", true), ("W/\"b\"", "W/\"a\"", false),
            ("\"a\"", nil, true), ("\"b\"", "\"a\"", false),
        ] as [(String?, String?, Bool)]
    )
    func confirmation(new: String?, old: String?, isConfirmed: Bool) {
        var (newer, older) = (HTTPHeaders(), HTTPHeaders())
        (newer[.eTag], older[.eTag]) = (new, old)
        let head = ResponseHead(status: .notModified, headers: newer)
        #expect(Validation.confirms(head, storedHead(200, older)) == isConfirmed)
    }

    @Test("replaces stored fields by those of the 304, except fields that describe the body")
    func merging() {
        let stored = storedHead(
            200,
            [
                .age: "9", .eTag: "\"a\"", .contentLength: "3", .contentEncoding: "gzip",
                "X-Old": "1", "X-Both": "1", .cacheControl: "max-age=1",
            ]
        )
        var newer: HTTPHeaders = [
            "X-Both": "2", "X-New": "3", .contentLength: "0", .contentEncoding: "br",
            .connection: "close", .cacheControl: "max-age=60", .setCookie: "a=b",
            .contentRange: "bytes 0-0/1",
        ]
        newer.append("4", for: "X-New")
        let head = ResponseHead(status: .notModified, headers: newer)
        let merged = Validation.merge(head, into: stored, at: arrival)
        var expected: HTTPHeaders = [
            .eTag: "\"a\"", .contentLength: "3", .contentEncoding: "gzip", "X-Old": "1",
            "X-Both": "2", "X-New": "3", .cacheControl: "max-age=60",
            .date: "Sun, 06 Nov 1994 12:00:00 GMT",
        ]
        expected.append("4", for: "X-New")
        #expect(merged == expected)
        let dated = ResponseHead(status: .notModified, headers: [.date: "x", .age: "1"])
        let renewed = Validation.merge(dated, into: stored, at: arrival)
        #expect(renewed[.date] == "x" && renewed[.age] == "1")
    }

    @Test(
        "keeps a confirmed response only if it may be stored and is selected by the same fields",
        arguments: [
            ([:], [], true), ([.vary: "Accept"], ["accept"], true),
            ([.vary: "Accept"], [], false), ([:], ["accept"], false),
            ([.vary: "Accept, X"], ["accept"], false), ([.cacheControl: "no-store"], [], false),
            ([.cacheControl: "no-store", .vary: "X"], ["accept"], false),
        ] as [(HTTPHeaders, [String], Bool)]
    )
    func storable(headers: HTTPHeaders, selectors: [String], isStorable: Bool) {
        let stored = storedHead(
            200,
            [:],
            selectors: selectors.map { StoredHead.Selector(name: $0, value: nil) }
        )
        #expect(Validation.isStillStorable(storedHead(200, headers), since: stored) == isStorable)
    }
}
