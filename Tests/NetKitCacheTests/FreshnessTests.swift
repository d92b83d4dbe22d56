import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

/// Noon of 6 November 1994, when the responses of these tests arrive.
let arrival = Date(timeIntervalSince1970: 784_123_200)

/// A stored response that arrived at noon.
func storedHead(
    _ status: HTTPStatus = 200,
    _ headers: HTTPHeaders,
    selectors: [StoredHead.Selector] = [],
    askedAt requestDate: Date = arrival
) -> StoredHead {
    StoredHead(
        key: CacheKey(url: "http://a.example/x", partition: ""),
        selectors: selectors,
        status: status,
        headers: headers,
        requestDate: requestDate,
        responseDate: arrival
    )
}

@Suite("Freshness")
struct FreshnessTests {
    private static let noon = "Sun, 06 Nov 1994 12:00:00 GMT"

    @Test(
        "lasts as the server says, or a tenth of the time since the last change",
        arguments: [
            ([.cacheControl: "max-age=60"], 60), ([.cacheControl: "MAX-AGE = \"60\""], 60),
            ([.cacheControl: "max-age=60, max-age=5"], 60),
            ([.cacheControl: "max-age=99999999999999999999"], 2_147_483_648),
            ([.cacheControl: "max-age=-1"], 0), ([.cacheControl: "max-age=1.5"], 0),
            ([.cacheControl: "max-age"], 0), ([.cacheControl: "max-age='60'"], 0),
            ([.cacheControl: "max-age=003600"], 3600),
            ([.cacheControl: "x=\"max-age=60\", max-age=1"], 1),
            ([.cacheControl: "s-maxage=60"], 0), ([.cacheControl: "s-maxage=60, max-age=1"], 1),
            (["CDN-Cache-Control": "max-age=60"], 0), (["Surrogate-Control": "max-age=60"], 0),
            ([.expires: "Sun, 06 Nov 1994 12:01:00 GMT"], 60),
            ([.expires: "sun, 06 nov 1994 12:01:00 gmt"], 60),
            ([.expires: "Sunday, 06-Nov-94 12:01:00 GMT"], 60),
            ([.expires: "Sun Nov  6 12:01:00 1994"], 60),
            ([.expires: "Sun, 06 Nov 1994 11:00:00 GMT"], 0), ([.expires: "0"], 0),
            ([.expires: "Sun, 06 Nov 94 12:01:00 GMT"], 0),
            ([.expires: "Sun, 6 Nov 1994 12:01:00 GMT"], 0),
            ([.expires: "Sun, 06-Nov-1994 12:01:00 GMT"], 0),
            ([.expires: "Sun, 06 Nov 1994 12:01:00 UTC"], 0),
            ([.expires: "Sun, 06 Nov 1994 12:01:00 GMT", .cacheControl: "max-age=0"], 0),
            ([.expires: "0", .cacheControl: "max-age=60"], 60),
            (
                [
                    .expires: "Sun, 06 Nov 1994 11:06:00 GMT",
                    .date: "Sun, 06 Nov 1994 11:00:00 GMT",
                ], 360
            ),
            ([.lastModified: "Sun, 06 Nov 1994 11:00:00 GMT"], 360),
            ([.lastModified: "Sun, 06 Nov 1994 13:00:00 GMT"], 0),
            ([.lastModified: "Sun, 06 Nov 1994 11:00:00 GMT", .expires: "never"], 0),
            ([:], 0),
        ] as [(HTTPHeaders, Double)]
    )
    func lifetime(headers: HTTPHeaders, seconds: Double) {
        #expect(Freshness(of: storedHead(200, headers), at: arrival).lifetime == seconds)
    }

    @Test("is estimated for some status codes, and for any public response")
    func heuristics() {
        let modified: HTTPHeaders = [.lastModified: "Sun, 06 Nov 1994 11:00:00 GMT"]
        for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501, 201, 302, 403, 500] {
            let head = storedHead(HTTPStatus(rawValue: status), modified)
            let isEstimated = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
                .contains(status)
            #expect(Freshness(of: head, at: arrival).isFresh == isEstimated, "\(status)")
            let isPublic = storedHead(head.status, modified.merging([.cacheControl: "public"]))
            #expect(Freshness(of: isPublic, at: arrival).isFresh, "\(status)")
        }
    }

    @Test(
        "counts the age from the Date field, or from the Age field and the time that the response took",
        arguments: [
            ([:], 0.5), ([.date: noon], 0.5), ([.date: "Sun, 06 Nov 1994 11:59:00 GMT"], 60),
            ([.date: "Sun, 06 Nov 1994 13:00:00 GMT"], 0.5), ([.date: "yesterday"], 0.5),
            ([.age: "7"], 7.5), ([.age: "7", .date: "Sun, 06 Nov 1994 11:59:00 GMT"], 60),
            ([.age: "7, 99"], 7.5), ([.age: " 7 , 99"], 7.5), ([.age: "-7"], 0.5),
            ([.age: "7.5"], 0.5), ([.age: "abc"], 0.5), ([.age: "7;x=1"], 0.5), ([.age: ""], 0.5),
            ([.age: "99999999999999999999"], 2_147_483_648.5),
        ] as [(HTTPHeaders, Double)]
    )
    func age(headers: HTTPHeaders, seconds: Double) {
        let head = storedHead(200, headers, askedAt: arrival - 0.5)
        #expect(Freshness(of: head, at: arrival).age == seconds)
        #expect(Freshness(of: head, at: arrival + 10).age == seconds + 10)
        // A clock that was set back a little makes nothing younger than it was; by one that was set back far, all is stale.
        #expect(Freshness(of: head, at: arrival - 30).age == seconds)
        #expect(!Freshness(of: head, at: arrival - 3600).isFresh)
        #expect(Freshness(of: head, at: arrival - 3600).staleness == .infinity)
    }

    @Test("counts whole seconds since the Date field, and no time if the clock was set back")
    func arrivals() {
        var head = storedHead(200, [.date: Self.noon], askedAt: arrival + 1.5)
        head.responseDate = arrival + 1.9
        #expect(Freshness(of: head, at: head.responseDate).age == 1)
        var early = storedHead(200, [.age: "7"])
        early.responseDate = early.requestDate - 5
        #expect(Freshness(of: early, at: early.responseDate).age == 7)
    }

    @Test("ends when the age reaches the lifetime")
    func isFresh() {
        let head = storedHead(200, [.cacheControl: "max-age=60"])
        #expect(Freshness(of: head, at: arrival + 59.9).isFresh)
        #expect(!Freshness(of: head, at: arrival + 60).isFresh)
        #expect(Freshness(of: head, at: arrival + 90).staleness == 30)
        #expect(Freshness(of: head, at: arrival - 60).isFresh)
        #expect(!Freshness(of: head, at: arrival - 61).isFresh)
        #expect(Freshness.expirationDate(of: head) == arrival + 60)
        let fields: HTTPHeaders = [.cacheControl: "max-age=60", .age: "7"]
        let aged = storedHead(200, fields, askedAt: arrival - 0.5)
        #expect(Freshness.expirationDate(of: aged) == arrival + 52.5)
    }
}
