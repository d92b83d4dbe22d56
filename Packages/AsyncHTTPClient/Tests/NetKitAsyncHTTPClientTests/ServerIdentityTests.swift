import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Server identity")
struct ServerIdentityTests {
    @Test(
        "matches a host by DNS names only, with * for one whole label",
        arguments: [
            (["a.test"], "a.test", true), (["A.Test."], "a.tesT", true),
            (["a.test"], "a.test.", true),
            (["b.test", "a.test"], "a.test", true), (["a.test"], "b.test", false),
            (["a.test"], "x.a.test", false), ([], "a.test", false), ([""], "", false),
            (["*.a.test"], "x.a.test", true), (["*.a.test"], "a.test", false),
            (["*.a.test"], "x.y.a.test", false), (["*.a.test"], ".a.test", false),
            (["*.test"], "a.test", false), (["*"], "localhost", false),
            (["*."], "localhost", false),
            (["*"], "a.test", false), (["w*.a.test"], "www.a.test", false),
            (["*w.a.test"], "www.a.test", false), (["x.*.test"], "x.a.test", false),
            (["*.*.test"], "x.a.test", false), (["127.0.0.1"], "127.0.0.1", false),
            (["*.0.0.1"], "127.0.0.1", false),
        ]
    )
    func names(names: [String], host: String, isValid: Bool) {
        #expect(ServerIdentity(names: names, addresses: []).isValid(for: host) == isValid)
        // An address says nothing about a name.
        let local: [[UInt8]] = [[127, 0, 0, 2]]
        #expect(ServerIdentity(names: names, addresses: local).isValid(for: host) == isValid)
    }

    @Test(
        "matches an IP address by IP addresses only",
        arguments: [
            ("127.0.0.1", true), ("127.0.0.2", false), ("::1", true), ("[::1]", true),
            ("[0:0:0:0:0:0:0:1]", true), ("[::2]", false), ("127.1", false), ("localhost", false),
            ("[", false), ("", false),
        ]
    )
    func addresses(host: String, isValid: Bool) {
        let six: [UInt8] = Array(repeating: 0, count: 15) + [1]
        let identity = ServerIdentity(names: ["127.0.0.2"], addresses: [[127, 0, 0, 1], six])
        #expect(identity.isValid(for: host) == isValid)
    }
}
