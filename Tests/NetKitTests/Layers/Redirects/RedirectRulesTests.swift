import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Redirect rules")
struct RedirectRulesTests {
    private func request(
        _ method: HTTPMethod,
        _ url: String,
        body: String? = nil
    ) throws
        -> EncodedRequest
    {
        var headers: HTTPHeaders = [
            .accept: "application/json", .authorization: "Bearer t", .cookie: "c=1",
            .contentType: "text/plain",
        ]
        headers.set("X-Api-Key", to: "k", isSensitive: true)
        return EncodedRequest(
            url: try #require(URL(string: url)),
            method: method,
            headers: headers,
            body: body.map { BodySource(Data($0.utf8)) }
        )
    }

    private func decide(
        _ status: HTTPStatus,
        _ location: String?,
        after request: EncodedRequest,
        policy: RedirectPolicy = .follow,
        followed: Int = 0
    ) -> RedirectDecision {
        var head = ResponseHead(status: status)
        head.headers[.location] = location
        return RedirectRules.decide(head, after: request, policy: policy, followed: followed)
    }

    @Test("goes to the first of several locations")
    func severalLocations() throws {
        var head = ResponseHead(status: 302)
        head.headers.append("/a", for: .location)
        head.headers.append("/b", for: .location)
        let request = try request(.get, "http://h.test/x")
        let decision = RedirectRules.decide(head, after: request, policy: .follow, followed: 0)
        guard case .follow(let next) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(next.url.absoluteString == "http://h.test/a")
    }

    @Test(
        "keeps or changes method and body by status",
        arguments: [
            (301, HTTPMethod.post, HTTPMethod.get, false), (302, .post, .get, false),
            (303, .post, .get, false), (307, .post, .post, true), (308, .post, .post, true),
            (301, .put, .put, true), (302, .delete, .delete, true), (303, .put, .get, false),
            (303, .head, .head, false), (301, .get, .get, true), (302, .head, .head, true),
        ]
    )
    func methods(status: Int, method: HTTPMethod, expected: HTTPMethod, keepsBody: Bool) throws {
        let request = try request(method, "http://a.test/x", body: "b")
        let decision = decide(HTTPStatus(rawValue: status), "/y", after: request)
        guard case .follow(let next) = decision else {
            Issue.record("not followed: \(decision)")
            return
        }
        #expect(next.url.absoluteString == "http://a.test/y")
        #expect(next.method == expected)
        #expect((next.body != nil) == keepsBody)
        #expect((next.headers[.contentType] != nil) == keepsBody)
        #expect(next.headers[.accept] == "application/json")
    }

    @Test("follows nothing by the policy that says so", arguments: [301, 302, 303, 307, 308])
    func following(status: Int) throws {
        let request = try request(.get, "http://a.test/x")
        let status = HTTPStatus(rawValue: status)
        for (policy, isFollowed) in [(RedirectPolicy.follow, true), (.doNotFollow, false)] {
            let decision = decide(status, "/y", after: request, policy: policy)
            if case .follow = decision {
                #expect(isFollowed)
            } else {
                #expect(!isFollowed)
            }
        }
    }

    @Test("removes every field that describes the body with it")
    func contentFields() throws {
        let names: [HTTPHeaderName] = [
            "Content-Type", "Content-Encoding", "Content-Language", "Content-Location",
            "Content-Disposition", "Content-Digest", "Content-MD5", "Content-Range", "Repr-Digest",
            "Digest", "Expect", "Idempotency-Key", "Last-Modified",
        ]
        var request = try request(.post, "http://a.test/x", body: "b")
        for name in names { request.headers[name] = "x" }
        for (status, keeps) in [(303, false), (307, true)] {
            guard
                case .follow(let next) = decide(
                    HTTPStatus(rawValue: status),
                    "/y",
                    after: request
                )
            else {
                Issue.record("not followed")
                return
            }
            for name in names { #expect((next.headers[name] != nil) == keeps, "\(name)") }
            #expect(next.headers[.accept] != nil)
        }
    }

    @Test(
        "removes every credential and Host across origins, and only there",
        arguments: [
            ("http://a.test/y", true), ("http://a.test:80/y", true), ("http://A.TEST/y", true),
            ("http://b.test/y", false), ("http://a.test:81/y", false),
            ("https://a.test/y", false), ("//b.test/y", false), ("http://sub.a.test/y", false),
        ]
    )
    func credentials(location: String, keeps: Bool) throws {
        var request = try request(.get, "http://a.test/x")
        request.headers["Host"] = "virtual.test"
        let decision = decide(302, location, after: request)
        guard case .follow(let next) = decision else {
            Issue.record("not followed: \(decision)")
            return
        }
        for name in [HTTPHeaderName.authorization, .cookie, "Host", "X-Api-Key"] {
            #expect((next.headers[name] != nil) == keeps, "\(name.rawName)")
        }
        #expect(next.headers[.accept] != nil)
    }

    @Test(
        "rejects redirects from https to http, and to other schemes",
        arguments: [
            ("https://a.test/x", "http://a.test/x", " to http://a.test/x: it leaves https"),
            ("https://a.test/x", "http://b.test/?k=v", " to http://b.test/?k: it leaves https"),
            (
                "http://a.test/x", "ftp://u:p@a.test/",
                " to ftp://a.test/: only http and https are followed"
            ),
            (
                "http://a.test/x", "file:///etc/passwd",
                " to file:///etc/passwd: only http and https are followed"
            ),
            ("http://a.test/x", "mailto:a@b.test", ": only http and https are followed"),
            ("http://a.test/x", "data:,x", " to data:,x: only http and https are followed"),
            (
                "http://a.test/x", "javascript:alert(1)",
                " to javascript:alert(1): only http and https are followed"
            ),
        ]
    )
    func unsafe(from: String, to: String, words: String) throws {
        let decision = decide(302, to, after: try request(.get, from))
        guard case .fail(let error) = decision else {
            Issue.record("not refused: \(decision)")
            return
        }
        #expect(error.kind == .unsafeRedirect)
        #expect(error.message == "unsafe redirect (302)\(words)")
    }

    @Test(
        "rejects an unusable Location, and prints it without secrets",
        arguments: [
            ("http://127.0.0.1:99999/?k=secret", "http://127.0.0.1:99999/?k", "port"),
            ("http://u:p@a.test:0/", "http://a.test:0/", "port"),
            (
                "http://a.test:18446744073709551697/", "http://a.test:18446744073709551697/",
                "port"
            ),
            ("//a.test:65536/x", "http://a.test:65536/x", "port"),
            ("http://a%2eb/", "http://a%2eb/", "host"), ("http://a\\b/", "http://a%5Cb/", "host"),
            ("http://[::1/", "", "Location"), ("http://a.test:secret/", "", "Location"),
        ]
    )
    func unusable(location: String, shown: String, part: String) throws {
        let decision = decide(302, location, after: try request(.get, "http://a.test/x"))
        guard case .fail(let error) = decision else {
            Issue.record("not refused: \(decision)")
            return
        }
        #expect(error.kind == .unsafeRedirect)
        #expect((error.underlying as? InvalidRequest)?.reason == .invalidURL(shown))
        let problem =
            switch part {
            case "port": " to \(shown): the port must be from 1 to 65535"
            case "host": " to \(shown): the host has a percent sign"
            default: ": its Location is no URL"
            }
        #expect("\(error)" == "unsafe redirect (302)\(problem)")
    }

    @Test(
        "returns a response that isn't a redirect to follow",
        arguments: [
            (200, "/y"), (300, "/y"), (304, "/y"), (305, "/y"), (302, nil), (302, ""),
            (302, "  "),
        ] as [(Int, String?)]
    )
    func delivers(status: Int, location: String?) throws {
        let request = try request(.get, "http://a.test/x")
        let decision = decide(HTTPStatus(rawValue: status), location, after: request)
        guard case .deliver = decision else {
            Issue.record("not delivered: \(decision)")
            return
        }
    }

    @Test("follows no more redirects than the policy allows, or none")
    func limits() throws {
        let request = try request(.get, "http://a.test/x")
        let last = decide(302, "/y", after: request, policy: .follow(maximum: 2), followed: 1)
        guard case .follow = last else {
            Issue.record("not followed: \(last)")
            return
        }
        let next = decide(302, "/y", after: request, policy: .follow(maximum: 2), followed: 2)
        guard case .fail(let error) = next else {
            Issue.record("not refused: \(next)")
            return
        }
        #expect(error.kind == .tooManyRedirects)
        guard case .deliver = decide(302, "/y", after: request, policy: .doNotFollow) else {
            Issue.record("followed against the policy")
            return
        }
    }

    @Test(
        "follows only redirects the policy allows, and returns the others",
        arguments: [
            ("/y", true), ("http://a.test:80/y", true), ("http://b.test/y", false),
            ("https://a.test/y", false), ("http://a.test:81/y", false),
        ]
    )
    func allowed(location: String, isFollowed: Bool) throws {
        let request = try request(.get, "http://a.test/x")
        let custom = RedirectPolicy.follow { from, to in from.host == to.host && to.port != 81 }
        for (policy, expected) in [
            (.sameOriginOnly, isFollowed), (custom, isFollowed || location.hasPrefix("https://a")),
        ] as [(RedirectPolicy, Bool)] {
            let decision = decide(302, location, after: request, policy: policy)
            switch decision {
            case .follow: #expect(expected)
            case .deliver: #expect(!expected)
            case .fail(let error): Issue.record("refused: \(error)")
            }
        }
    }

    @Test(
        "resolves references as RFC 3986 does, and keeps their encoding",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), (";x", "http://a/b/c/;x"),
            ("", nil), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"), ("/a%2Fb?x=%20", "http://a/a%2Fb?x=%20"),
            ("/a b", "http://a/a%20b"), ("/é", "http://a/%C3%A9"), (" /g\t", "http://a/g"),
            ("/c%2Bd e", "http://a/c%2Bd%20e"), ("http://u:p@h/g", "http://h/g"),
            ("http://%E9@h/y", "http://h/y"),
            ("HTTP://h/g", "http://h/g"), ("/%zz", "http://a/%25zz"), ("/100%", "http://a/100%25"),
            ("/%4", "http://a/%254"), ("/%09%af%AF%f0%FA", "http://a/%09%af%AF%f0%FA"),
            ("/%4/%:0%4@%G0%4`%g0", "http://a/%254/%25:0%254@%25G0%254%60%25g0"),
            ("/[a]|b", "http://a/%5Ba%5D%7Cb"),
            ("?a[]=1&b=%", "http://a/b/c/d;p?a%5B%5D=1&b=%25"),
            ("x//[y]", "http://a/b/c/x//%5By%5D"),
            ("http://[::1]:81", "http://[::1]:81"), ("http://h:080/g", "http://h:080/g"),
            ("http://[::1]:81/[a]", "http://[::1]:81/%5Ba%5D"), ("//[::1]?[", "http://[::1]?%5B"),
            ("http://[::1/", nil), ("http://h:x/", nil), ("http://h:80:90/", nil),
            ("http://h/a/../b", "http://h/b"), ("//g/a/./b", "http://g/a/b"),
            ("http://h/..", "http://h/"), ("http://h/a/b/..?/../#/../", "http://h/a/?/../"),
            ("http://h//../%2E/a.b", "http://h/a.b"), ("http://h?/../", "http://h?/../"),
            ("/g#a#b", "http://a/g"), ("#a#b", "http://a/b/c/d;p?q"),
            ("http://bücher.test/ü", "http://xn--bcher-kva.test/%C3%BC"),
            ("//ü:p@bücher.test:81/[a]", "http://xn--bcher-kva.test:81/%5Ba%5D"),
        ] as [(String, String?)]
    )
    func resolution(location: String, expected: String?) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(RedirectTarget.resolve(location, against: base)?.absoluteString == expected)
    }

    @Test("keeps exactly the characters that RFC 3986 allows in a path")
    func characters() throws {
        let base = try #require(URL(string: "http://a/"))
        let allowed = Set("-._~!$&'()*+,;=:@".utf8)
        for byte in UInt8(0x21)...0x7F where !"/?#%".utf8.contains(byte) {
            let character = Character(Unicode.Scalar(byte))
            let stays = allowed.contains(byte) || character.isLetter || character.isNumber
            let expected =
                stays ? String(character) : "%" + String(byte, radix: 16, uppercase: true)
            let url = RedirectTarget.resolve("/x\(character)y", against: base)
            #expect(url?.absoluteString == "http://a/x\(expected)y")
        }
    }
}
