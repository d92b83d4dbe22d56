import Foundation
import Testing

@testable import NetKit
@testable import NetKitPaging
@testable import NetKitSupport

@Suite("Link trail")
struct LinkTrailTests {
    private func trail(_ home: String, _ followsOtherOrigins: Bool) throws -> LinkTrail {
        let url = try #require(URL(string: home))
        return LinkTrail(from: try #require(Origin(url)), followsOtherOrigins: followsOtherOrigins)
    }

    private func outcome(
        _ trail: inout LinkTrail,
        _ reference: String,
        from: String
    ) throws -> Result<String, LinkTrail.Refusal> {
        let url = try #require(URL(string: from))
        do throws(LinkTrail.Refusal) {
            return .success(try trail.follow(reference, from: url).absoluteString)
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "resolves a link against the response",
        arguments: [
            ("?p=2", "https://a.test/v1/list?p=2"), ("other?p=2", "https://a.test/v1/other?p=2"),
            ("../x", "https://a.test/x"), ("/x", "https://a.test/x"),
            ("//a.test/x", "https://a.test/x"), ("", "https://a.test/v1/list?p=1"),
            (" \t", "https://a.test/v1/list?p=1"),
            ("#part", "https://a.test/v1/list?p=1"),
            ("https://A.test:443/x", "https://A.test:443/x"),
            ("https://u:p@a.test/x#y", "https://a.test/x"), ("/a b", "https://a.test/a%20b"),
            ("/{id}", "https://a.test/%7Bid%7D"),
        ]
    )
    func resolves(reference: String, target: String) throws {
        var trail = try trail("https://a.test", false)
        let outcome = try outcome(&trail, reference, from: "https://a.test/v1/list?p=1#top")
        #expect(outcome == .success(target))
        #expect(!trail.hasLeftOrigin)
    }

    @Test(
        "rejects a link from https to http, to any host",
        arguments: ["http://a.test/x?s=1", "http://b.test/x?s=1"],
        [false, true]
    )
    func downgrade(target: String, followsOtherOrigins: Bool) throws {
        var trail = try trail("https://a.test", followsOtherOrigins)
        let shown = String(target.dropLast(2))
        #expect(
            try outcome(&trail, target, from: "https://a.test/") == .failure(.invalid(shown))
        )
        // Not even where a redirect led to http.
        #expect(try outcome(&trail, target, from: "http://a.test/") == .failure(.invalid(shown)))
        // Nor where it led to https.
        var plain = try self.trail("http://a.test", followsOtherOrigins)
        #expect(try outcome(&plain, target, from: "https://a.test/") == .failure(.invalid(shown)))
    }

    @Test(
        "rejects a link that isn't http or https",
        arguments: [
            "ftp://a.test/", "data:,x", "x:y", "http:", "http://a.test:99999/", "//a.test:0/",
        ]
    )
    func foreign(target: String) throws {
        var trail = try trail("http://a.test", true)
        guard case .failure(.invalid) = try outcome(&trail, target, from: "http://a.test/") else {
            Issue.record("followed")
            return
        }
    }

    @Test(
        "rejects another origin of the link or the response, and prints no secret",
        arguments: [
            ("http://b.test/x?key=secret", "http://a.test/", "http://b.test/x?key"),
            ("http://u:p@a.test:8080/", "http://a.test/", "http://a.test:8080/"),
            ("https://a.test/", "http://a.test/", "https://a.test/"),
            ("/x", "http://b.test/", "http://b.test/x"),
            ("http://a.test/x", "http://b.test/", "http://a.test/x"),
        ]
    )
    func otherOrigin(reference: String, from: String, shown: String) throws {
        var trail = try trail("http://a.test", false)
        #expect(try outcome(&trail, reference, from: from) == .failure(.otherOrigin(shown)))
        #expect(!trail.hasLeftOrigin)
    }

    @Test("stays off-origin after leaving the origin")
    func abroad() throws {
        var trail = try trail("http://a.test", true)
        #expect(try outcome(&trail, "/2", from: "http://a.test/1") == .success("http://a.test/2"))
        #expect(!trail.hasLeftOrigin)
        let away = "http://b.test/3"
        #expect(try outcome(&trail, away, from: "http://a.test/2") == .success(away))
        #expect(trail.hasLeftOrigin)
        let back = "http://a.test/4"
        #expect(try outcome(&trail, back, from: away) == .success(back))
        #expect(try outcome(&trail, "/5", from: back) == .success("http://a.test/5"))
        #expect(trail.hasLeftOrigin)
    }
}
