import Foundation
import Testing

@testable import NetKit
@testable import NetKitCookies

@Suite("Cookie store")
struct CookieStoreTests {
    private var store = CookieStore()

    private func url(_ text: String) throws -> CookieURL {
        try #require(URL(string: text).flatMap { CookieURL($0) })
    }

    private mutating func store(_ fields: String..., from text: String, after: Double = 0) throws {
        store.store(fields, from: try url(text), at: cookieDate.addingTimeInterval(after))
    }

    /// The `Cookie` field of a request.
    private mutating func sent(to text: String, after: Double = 0) throws -> String {
        let date = cookieDate.addingTimeInterval(after)
        return store.take(for: try url(text), at: date).map(\.pair).joined(separator: "; ")
    }

    private var names: [String] { store.entries.map(\.cookie.name) }

    @Test("sends longer paths first, then older cookies")
    mutating func order() throws {
        try store(
            "a=1",
            "b=2; Path=/x",
            "c=3",
            "d=4; Path=/x/y",
            "e=5; Path=/z",
            from: "http://h.test/"
        )
        try store("b=6; Path=/x", from: "http://h.test/", after: 5)
        #expect(try sent(to: "http://h.test/x/y/z") == "d=4; b=6; a=1; c=3")
        #expect(names == ["a", "b", "c", "d", "e"])
        // What was created earlier comes first, whenever it was stored.
        try store("f=7", from: "http://h.test/", after: -1)
        #expect(try sent(to: "http://h.test/") == "f=7; a=1; c=3")
    }

    @Test("finds a cookie of a host of any length, and of the domains that can be names")
    mutating func longHosts() throws {
        let host = String(repeating: "a.", count: 200) + "h.test"
        try store("a=1", from: "http://\(host)/")
        try store("b=2; Domain=h.test", from: "http://h.test/")
        #expect(try sent(to: "http://\(host)/") == "a=1; b=2")
    }

    @Test("replaces a cookie of the same name, domain and path, and keeps its creation time")
    mutating func replacing() throws {
        try store("a=1", "b=1", from: "http://h.example.com/")
        try store("a=2", from: "http://h.example.com/", after: 5)
        #expect(try sent(to: "http://h.example.com/") == "a=2; b=1")
        try store("a=3; Path=/x", "a=4; Domain=example.com", "A=5", from: "http://h.example.com/")
        try store("a=6; Domain=h.example.com", from: "http://h.example.com/")
        #expect(try sent(to: "http://h.example.com/x") == "a=3; a=2; b=1; a=4; A=5; a=6")
        #expect(try sent(to: "http://example.com/x") == "a=4")
        // Composed and decomposed letters are different bytes.
        try store("\u{E9}=1", "e\u{301}=2", from: "http://other.test/")
        #expect(store.entries.count == 8)
    }

    @Test("removes cookies when they expire or a server removes them")
    mutating func expiring() throws {
        try store("a=1; Max-Age=10", "b=2; Max-Age=20", "c=3", from: "http://h.test/")
        #expect(try sent(to: "http://h.test/", after: 9.5) == "a=1; b=2; c=3")
        #expect(try sent(to: "http://h.test/", after: 10) == "b=2; c=3")
        #expect(try sent(to: "http://h.test/", after: 20) == "c=3")
        #expect(names == ["a", "b", "c"])
        try store("x; Max-Age=-1", from: "http://h.test/", after: 10)
        #expect(names == ["b", "c"])
        try store(
            "b=; Max-Age=0",
            "c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            from: "http://h.test/"
        )
        #expect(store.isEmpty && store.entries.isEmpty)
    }

    @Test(
        "doesn't let plain http overlay a secure cookie",
        arguments: [
            ("http://h.example.com/a/b", "s=2; Path=/a", false),
            ("http://h.example.com/a/b", "s=2; Path=/a/b", false),
            ("http://h.example.com/a/b", "s=2; Path=/", true),
            ("http://h.example.com/a/b", "s=2; Path=/ab", true),
            ("http://example.com/a/b", "s=2; Path=/a", false),
            ("http://b.h.example.com/a/b", "s=2; Path=/a", false),
            ("http://h.example.com/a/b", "s=2; Path=/a; Domain=example.com", false),
            ("http://other.example.com/a/b", "s=2; Path=/a", true),
            ("http://h.example.com/a/b", "S=2; Path=/a", true),
            ("http://h.example.com/a/b", "s=; Path=/a; Max-Age=0", false),
            ("https://h.example.com/a/b", "s=2; Path=/a", true),
        ]
    )
    mutating func secureAlone(from: String, field: String, isKept: Bool) throws {
        try store("s=1; Secure; Path=/a; Domain=h.example.com", from: "https://h.example.com/")
        let before = store.entries
        try store(field, from: from)
        #expect((store.entries != before) == isKept)
    }

    @Test("lets plain http set a cookie in place of an expired secure one")
    mutating func expiredSecure() throws {
        try store("s=1; Secure; Max-Age=10", from: "https://h.example.com/")
        try store("s=2", from: "http://h.example.com/", after: 20)
        #expect(try sent(to: "http://h.example.com/", after: 20) == "s=2")
    }

    @Test(
        "keeps 180 cookies per domain, and evicts insecure and least recently used ones first"
    )
    mutating func domainLimit() throws {
        try store("s=1; Secure", "p0=1", "p1=1; Path=/used", from: "https://h.test/")
        #expect(try sent(to: "https://h.test/used", after: 2) == "p1=1; s=1; p0=1")
        for number in 2...178 {
            try store("p\(number)=1", from: "https://h.test/", after: 1)
        }
        #expect(store.entries.count == 180)
        try store("q=1", from: "https://h.test/", after: 3)
        try store("q=2", "other=1", from: "https://h.test/", after: 4)
        #expect(store.entries.count == 180)
        // Those that were used last stay, and the one that is secure.
        #expect(!names.contains("p2") && !names.contains("p3"))
        #expect(["s", "p0", "p1", "p4", "q", "other"].allSatisfy { names.contains($0) })
        try store("e=1", from: "https://other.test/")
        #expect(store.entries.count == 181)

        let secure = (0..<180).map { "s\($0)=1; Secure" }
        store.store(secure, from: try url("https://h.test/"), at: cookieDate.addingTimeInterval(9))
        #expect(!store.entries.contains { $0.cookie.domain == "h.test" && !$0.cookie.isSecure })
        // A newcomer that is not secure has no place.
        try store("late=1", from: "https://h.test/", after: 10)
        #expect(!names.contains("late"))
        try store("late=1; Secure", from: "https://h.test/", after: 10)
        #expect(names.contains("late") && !names.contains("s"))
    }

    @Test("reuses the room of expired cookies")
    mutating func expiredFirst() throws {
        try store("s=1", "old=1; Max-Age=5", from: "https://h.test/")
        for number in 0..<178 { try store("n\(number)=1", from: "https://h.test/") }
        try store("new=1", from: "https://h.test/", after: 5)
        #expect(store.entries.count == 180 && !names.contains("old") && names.contains("s"))
    }

    @Test("keeps 3,000 cookies, and evicts the least recently used")
    mutating func limit() throws {
        for host in 0..<30 {
            let fields = (0..<100).map { "c\($0)=\(host); Secure" }
            store.store(fields, from: try url("https://h\(host).test/"), at: cookieDate)
        }
        #expect(store.entries.count == 3000)
        _ = try sent(to: "https://h0.test/", after: 1)
        try store("new=1", "new2=1", from: "https://new.test/", after: 2)
        #expect(store.entries.count == 3000)
        #expect(try sent(to: "https://new.test/") == "new=1; new2=1")
        #expect(try sent(to: "https://h0.test/").split(separator: ";").count == 100)
        #expect(try sent(to: "https://h1.test/").hasPrefix("c2=1; c3=1"))
    }

    @Test("stays small when one response sets very many cookies")
    mutating func flood() throws {
        let fields = (0..<5_000).map { "n\($0)=v; Domain=\($0 % 2 == 0 ? "h.test" : "a.h.test")" }
        store.store(fields, from: try url("https://a.h.test/"), at: cookieDate)
        #expect(store.entries.count == 360)
        #expect(names.last == "n4999" && names.first == "n4640")
    }

    @Test("counts only persistent cookies as changes to the file")
    mutating func revisions() throws {
        func changes(_ field: String, from text: String = "https://h.test/") throws -> Bool {
            let before = store.revision
            try store(field, from: text)
            return store.revision != before
        }
        #expect(try !changes("a=1"))
        #expect(try !changes("a=; Max-Age=0"))
        #expect(try !changes("b=; Max-Age=0"))
        #expect(try changes("b=1; Max-Age=5"))
        #expect(try !changes("b=1; Max-Age=5"))
        #expect(try changes("b=2; Max-Age=5"))
        #expect(try changes("b=2; Max-Age=6"))
        #expect(try changes("b=2"))
        #expect(try changes("b=2; Max-Age=5"))
        #expect(try changes("b=; Max-Age=0"))
        #expect(try !changes("c=1; Domain=com; Max-Age=5"))
        try store("d=1; Max-Age=1", from: "https://h.test/")
        let before = store.revision
        try store("e=1", from: "https://h.test/", after: 2)
        #expect(store.revision == before && names == ["e"])
        store.remove { $0.name == "e" }
        #expect(store.revision == before && store.isEmpty)
    }
}
