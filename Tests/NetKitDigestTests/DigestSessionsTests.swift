import Testing

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

@Suite("Digest sessions")
struct DigestSessionsTests {
    private func challenge(_ parameters: String) throws -> DigestChallenge {
        try #require(DigestChallenge.strongest(in: "Digest qop=auth, " + parameters))
    }

    @Test("counts each nonce separately, even after another realm")
    func counts() throws {
        var sessions = DigestSessions()
        #expect(sessions.use(clientNonce: "") == nil)
        sessions.take(try challenge("realm=a, nonce=1"))
        #expect((1...3).map { _ in sessions.use(clientNonce: "")?.count } == [1, 2, 3])
        sessions.take(try challenge("realm=b, nonce=1"))
        #expect(sessions.use(clientNonce: "")?.count == 1)
        sessions.take(try challenge("realm=a, nonce=1, stale=true"))
        #expect(sessions.use(clientNonce: "")?.count == 4)
        sessions.take(try challenge("realm=a, nonce=2"))
        #expect(sessions.use(clientNonce: "")?.count == 1)
        sessions.take(try challenge("realm=a, nonce=1"))
        #expect(sessions.use(clientNonce: "")?.count == 5)
    }

    @Test("answers each of several new nonces before it answers one again")
    func fresh() throws {
        var sessions = DigestSessions()
        for nonce in 1...3 { sessions.take(try challenge("realm=a, nonce=\(nonce)")) }
        let uses = (1...5).map { _ in sessions.use(clientNonce: "") }
        #expect(uses.map { $0?.challenge.nonce } == ["3", "2", "1", "3", "3"])
        #expect(uses.map { $0?.count } == [1, 1, 1, 2, 3])
    }

    @Test("counts no answer to a challenge that asks for a body's digest and can't have it")
    func integrity() throws {
        var sessions = DigestSessions()
        let challenge = DigestChallenge.strongest(in: "Digest qop=auth-int, realm=a, nonce=1")
        sessions.take(try #require(challenge))
        #expect(sessions.use(clientNonce: "", allowingIntegrity: false) == nil)
        #expect(sessions.use(clientNonce: "")?.count == 1)
        sessions.take(try self.challenge("realm=b, nonce=1"))
        #expect(sessions.use(clientNonce: "", allowingIntegrity: false)?.count == 1)
    }

    @Test("uses a new client nonce for each request, but a single one for -sess")
    func clientNonces() throws {
        var sessions = DigestSessions()
        sessions.take(try challenge("realm=a, nonce=1"))
        #expect(["x", "y"].map { sessions.use(clientNonce: $0)?.clientNonce } == ["x", "y"])
        sessions.take(try challenge("realm=a, nonce=2, algorithm=MD5-sess"))
        #expect(["x", "y"].map { sessions.use(clientNonce: $0)?.clientNonce } == ["x", "x"])
        sessions.take(try challenge("realm=a, nonce=3, algorithm=MD5-sess"))
        #expect(sessions.use(clientNonce: "z")?.clientNonce == "z")
    }

    @Test("forgets the least recently challenged realm")
    func limit() throws {
        var sessions = DigestSessions()
        for realm in 0...DigestSessions.limit {
            sessions.take(try challenge("realm=\(realm), nonce=n"))
            #expect(sessions.use(clientNonce: "")?.count == 1)
        }
        sessions.take(try challenge("realm=1, nonce=n"))
        #expect(sessions.use(clientNonce: "")?.count == 2)
        sessions.take(try challenge("realm=0, nonce=n"))
        #expect(sessions.use(clientNonce: "")?.count == 1)
    }

    @Test("generates distinct 128-bit nonces")
    func randomNonces() {
        let nonces = Set((0..<100).map { _ in DigestSessions.newClientNonce() })
        #expect(nonces.count == 100)
        #expect(nonces.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
