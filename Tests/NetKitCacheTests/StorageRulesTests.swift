import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Storage rules for responses")
struct StorageRulesTests {
    /// The status codes whose requirements the cache understands, and their neighbors.
    private static let understood: [(Int, HTTPHeaders, Bool)] = {
        let known = [
            200, 201, 202, 203, 204, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414,
            500, 501, 502, 503, 504,
        ]
        return (200..<600).filter { ![206, 304, 401, 407].contains($0) }
            .map {
                ($0, [.cacheControl: "no-store, must-understand, max-age=60"], known.contains($0))
            }
    }()

    private static func names(_ count: Int) -> String {
        (0..<count).map { "n\($0)" }.joined(separator: ", ")
    }

    @Test(
        "stores a response with a lifetime, an estimated lifetime or a validator",
        arguments: [
            (200, [.cacheControl: "max-age=60"], true), (200, [.expires: "0"], true),
            (200, [.eTag: "\"a\""], true), (200, [.lastModified: "x"], true),
            (200, [:], false), (200, [.cacheControl: "max-age=0"], false),
            (200, [.cacheControl: "max-age=0", .eTag: "\"a\""], true),
            (200, [.cacheControl: "no-cache", .eTag: "\"a\""], true),
            (200, [.cacheControl: "no-store, max-age=60"], false),
            (200, [.cacheControl: "private, max-age=60"], true),
            (200, [.cacheControl: "s-maxage=60"], false),
            (200, [.cacheControl: "max-age=60", .vary: "accept, *"], false),
            (200, [.cacheControl: "max-age=60", .vary: "accept"], true),
            (200, [.cacheControl: "max-age=60", .vary: names(100)], true),
            (200, [.cacheControl: "max-age=60", .vary: names(101)], false),
            (200, [.cacheControl: "max-age=60", .contentType: "Text/Event-Stream"], false),
            (200, [.cacheControl: "max-age=60", .setCookie: "a=b"], true),
            (200, [.cacheControl: "max-age=0, stale-while-revalidate=60"], true),
            (200, [.cacheControl: "max-age=0, stale-if-error=60"], true),
            (200, [.cacheControl: "max-age=1"], true),
            (200, [.cacheControl: "max-age=0, stale-while-revalidate=1"], true),
            (200, [.cacheControl: "max-age=0, stale-if-error=1"], true),
            (200, [.cacheControl: "max-age=0, stale-while-revalidate=0"], false),
            (200, [.cacheControl: "max-age=0, stale-if-error=0"], false),
            (200, [.cacheControl: "max-age=0", .expires: "0"], false),
            (201, [.cacheControl: "private", .eTag: "\"a\""], true),
            (200, [.cacheControl: "no-store; max-age=60"], false),
            (201, [.eTag: "\"a\""], false), (201, [.cacheControl: "public", .eTag: "\"a\""], true),
            (206, [.cacheControl: "max-age=60"], false),
            (304, [.cacheControl: "max-age=60"], false),
            (401, [.cacheControl: "max-age=60"], false),
            (407, [.cacheControl: "max-age=60"], false),
            (301, [.lastModified: "x"], true), (302, [.lastModified: "x"], false),
            (404, [.cacheControl: "max-age=60"], true), (503, [.cacheControl: "max-age=60"], true),
            (599, [.cacheControl: "max-age=60"], true),
            (200, [.cacheControl: "no-store, must-understand, max-age=60"], true),
            (599, [.cacheControl: "must-understand, max-age=60"], false),
            (103, [.cacheControl: "max-age=60"], false),
        ]
            + understood as [(Int, HTTPHeaders, Bool)]
    )
    func allow(status: Int, headers: HTTPHeaders, isStored: Bool) {
        let head = ResponseHead(status: HTTPStatus(rawValue: status), headers: headers)
        #expect(StorageRules.allow(head) == isStored)
    }

    @Test("removes connection fields, fields named by no-cache, and Set-Cookie")
    func fields() {
        let headers: HTTPHeaders = [
            .connection: "close, x-hop ,", "X-Hop": "1", "Keep-Alive": "5", .te: "trailers",
            .transferEncoding: "chunked", .upgrade: "h2c", .setCookie: "a=b",
            "Proxy-Authenticate": "Basic", .proxyAuthorization: "x", "Proxy-Connection": "close",
            "Proxy-Authentication-Info": "x",
            .cacheControl: "no-cache=\"x-once, X-TWICE\", max-age=60", "X-Once": "1",
            "X-Twice": "2", "X-Kept": "3", .eTag: "\"a\"",
        ]
        let kept = StorageRules.fields(of: headers)
        #expect(Set(kept.map(\.name)) == [.cacheControl, "X-Kept", .eTag])
        let others: HTTPHeaders = ["X": "1", "Close": "2", .date: "x", .cacheControl: "no-cache"]
        #expect(StorageRules.fields(of: others) == others)
    }
}

@Suite("Storage rules for requests")
struct CacheRequestTests {
    private static let url = URL(string: "http://a.example/x") ?? URL(fileURLWithPath: "/")

    @Test(
        "admits GET and HEAD without ranges, validators and no-store",
        arguments: [
            (.get, [:], true), (.head, [:], true), (.post, [:], false), (.options, [:], false),
            (.query, [:], false), (.custom("get"), [:], false),
            (.get, [.range: "bytes=0-1"], false), (.get, [.ifNoneMatch: "\"a\""], false),
            (.get, [.ifModifiedSince: "x"], false), (.get, [.ifMatch: "*"], false),
            (.get, [.ifUnmodifiedSince: "x"], false), (.get, [.ifRange: "x"], false),
            (.get, [.cacheControl: "No-Store"], false), (.get, [.cacheControl: "no-cache"], true),
            (.get, [.accept: "text/event-stream"], false),
            (.get, [.accept: "text/plain"], true), (.get, ["Origin": "text/event-stream"], true),
            (.get, [.authorization: "x"], true), (.get, ["X": "1"], true),
            (.get, [.userAgent: "x"], true), (.get, ["X-Five": "1", "Age-5": "1"], true),
            (.get, [.accept: "application/json, text/event-stream"], false),
            (.get, [.accept: "Text/Event-Stream;q=0.5, */*"], false),
            (.get, [.accept: "x/y ;\ttext/event-stream"], false),
            (.get, [.accept: "text/event-strea"], true),
        ] as [(HTTPMethod, HTTPHeaders, Bool)]
    )
    func isWanted(method: HTTPMethod, headers: HTTPHeaders, isWanted: Bool) {
        let request = EncodedRequest(url: Self.url, method: method, headers: headers)
        let wanted = CacheRequest(request, policy: .standard)
        #expect((wanted != nil) == isWanted)
        #expect(wanted.map { $0.isHead == (method == .head) } ?? true)
        #expect(CacheRequest(request, policy: .noStore) == nil)
    }

    @Test("doesn't admit a request with a body")
    func bodies() {
        var request = EncodedRequest(url: Self.url, method: .get, headers: [:])
        request.body = BodySource(Data("b".utf8))
        #expect(CacheRequest(request, policy: .standard) == nil)
    }

    @Test(
        "asks the caches on the way for what the policy asks for",
        arguments: [
            (.standard, nil), (.onlyIfCached, nil), (.reload, "no-cache"),
            (.revalidate, "max-age=0"),
        ] as [(CachePolicy, String?)]
    )
    func addedControl(policy: CachePolicy, control: String?) throws {
        let request = EncodedRequest(url: Self.url, method: .get, headers: [:])
        #expect(try #require(CacheRequest(request, policy: policy)).addedControl == control)
    }
}
