import Testing

@testable import NetKit

@Suite("Digest challenges")
struct DigestChallengeTests {
    @Test("are read with all they say")
    func everything() throws {
        let field = """
            Digest realm="r", domain="/a /b", nonce="n", opaque="o", stale=TRUE, algorithm=sha-256-SESS, \
            qop="auth-int, AUTH", charset=utf-8, userhash=True, other=x
            """
        let challenge = try #require(DigestChallenge.strongest(in: field))
        #expect(challenge.realm == "r" && challenge.nonce == "n" && challenge.opaque == "o")
        #expect(challenge.algorithm.hash == .sha256 && challenge.algorithm.isSession)
        #expect(challenge.algorithmName == "sha-256-SESS")
        #expect(challenge.hasQualityOfProtection && challenge.hashesUserName)
        #expect(challenge.isStale && challenge.isNormalized)
    }

    @Test("mean MD5 without a quality of protection where they say no more")
    func least() throws {
        let challenge = try #require(DigestChallenge.strongest(in: "dIGEST realm=r,nonce=n"))
        #expect(challenge.algorithm == DigestAlgorithm("MD5"))
        #expect(challenge.algorithmName == nil && challenge.opaque == nil)
        #expect(!challenge.hasQualityOfProtection && !challenge.hashesUserName)
        #expect(!challenge.isStale && !challenge.isNormalized)
    }

    @Test(
        "cannot be answered where something is missing or unknown",
        arguments: [
            "", "Digest", "Digest realm=r", "Digest nonce=n", "Basic realm=r, nonce=n",
            "Digest realm=r, nonce=n, qop=auth-int", "Digest realm=r, nonce=n, qop=\"x, y\"",
            "Digest realm=r, nonce=n, algorithm=SHA-512-256", "Digest YWI=",
            "Digest realm=r, nonce=n, algorithm=\"\"", "Digest realm=r, nonce=n, algorithm=SHA-1",
        ]
    )
    func unanswerable(field: String) {
        #expect(DigestChallenge.strongest(in: field) == nil)
    }

    @Test(
        "are chosen by strength, then by order",
        arguments: [
            (["MD5", "SHA-256"], "1"), (["SHA-256", "MD5"], "0"),
            (["SHA-512-256", "MD5", "SHA-256", "X"], "2"), (["MD5", "MD5-sess"], "0"),
            (["MD5-sess", "SHA-256-sess", "SHA-256"], "1"), (["SHA-512", "MD5"], "1"),
        ]
    )
    func choosing(algorithms: [String], nonce: String) {
        let field = algorithms.enumerated()
            .map { "Digest realm=r, nonce=\($0), algorithm=\($1), qop=auth" }
            .joined(separator: ", ")
        #expect(DigestChallenge.strongest(in: "Basic realm=b, " + field)?.nonce == nonce)
    }

    @Test("with a quality of protection are preferred to those without, not to a better hash")
    func quality() {
        let old = "Digest realm=r, nonce=old", new = "Digest realm=r, nonce=new, qop=auth"
        #expect(DigestChallenge.strongest(in: "\(old), \(new)")?.nonce == "new")
        let better = "Digest realm=r, nonce=better, algorithm=SHA-256"
        #expect(DigestChallenge.strongest(in: "\(new), \(better)")?.nonce == "better")
    }
}
