import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

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
            ([.cacheControl: "must-understand, no-store"], [], true),
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
