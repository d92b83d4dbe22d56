import Testing

@testable import NetKitSupport

@Suite("Dot segments")
struct DotSegmentsTests {
    private func resolved(_ path: String, from start: Int = 1) -> String {
        var bytes = Array(path.utf8)
        DotSegments.resolve(&bytes, from: start)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "are resolved as RFC 3986 does, also when percent-encoded",
        arguments: [
            ("/a/b/c/./../../g", "/a/g"), ("/mid/content=5/../6", "/mid/6"), ("/a/..", "/"),
            ("/a/.", "/a/"), ("/./a", "/a"),
            ("/../a", "/a"), ("/../../a/..", "/"), ("/a/b/../", "/a/"), ("/a/%2e%2E/b", "/b"),
            ("/a/%2E./b", "/b"),
            ("/a/.%2e/b", "/b"), ("/a/%2e/b", "/a/b"), ("/%2e%2e", "/"), ("/a//..", "/a/"),
            ("/a/./", "/a/"), ("/", "/"),
            ("/.", "/"), ("/..", "/"), ("/a/b/c/../../..", "/"),
        ]
    )
    func resolving(path: String, expected: String) {
        #expect(resolved(path) == expected)
    }

    @Test(
        "are nothing else",
        arguments: [
            "/...", "/a/.../b", "/.a", "/a.", "/..a", "/%2e%2e%2e", "/%2f", "/%2", "/%", "/%3e",
            "/a/%2e%2", "/%1e/b", "/a/.b/..c",
            "/%2d", "/%2g/a", "/.%2e%2e%2e/a", "/a/b",
        ]
    )
    func others(path: String) {
        #expect(resolved(path) == path)
    }

    @Test("keep everything before the first segment")
    func prefix() {
        #expect(resolved("/base/../a", from: 6) == "/base/a")
        #expect(resolved("/base/../../a/./b", from: 6) == "/base/a/b")
        #expect(resolved("/./a/../b", from: 3) == "/./b")
    }
}
