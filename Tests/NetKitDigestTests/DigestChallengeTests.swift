import Testing

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

@Suite("Digest challenges")
struct DigestChallengeTests {
    @Test("parses every attribute")
    func everything() throws {
        let field = """
            Digest realm="r", domain="/a /b", nonce="n", opaque="o", stale=TRUE, algorithm=sha-256-SESS, \
            qop="auth-int, AUTH", charset=utf-8, userhash=True, other=x
            """
        let challenge = try #require(DigestChallenge.strongest(in: field))
        #expect(challenge.realm == "r" && challenge.nonce == "n" && challenge.opaque == "o")
        #expect(challenge.algorithm.hash == .sha256 && challenge.algorithm.isSession)
        #expect(challenge.algorithmName == "sha-256-SESS")
        #expect(challenge.quality == .authentication && challenge.hashesUserName)
        #expect(challenge.isStale && challenge.isNormalized)
    }

    @Test("defaults to MD5 without a quality of protection")
    func least() throws {
        let challenge = try #require(DigestChallenge.strongest(in: "dIGEST realm=r,nonce=n"))
        #expect(challenge.algorithm == DigestAlgorithm("MD5"))
        #expect(challenge.algorithmName == nil && challenge.opaque == nil)
        #expect(challenge.quality == nil && !challenge.hashesUserName)
        #expect(!challenge.isStale && !challenge.isNormalized)
    }

    @Test(
        "is ignored when something is missing or unknown",
        arguments: [
            "", "Digest", "Digest realm=r", "Digest nonce=n", "Basic realm=r, nonce=n",
            "Digest realm=r, nonce=n, qop=auth-conf", "Digest realm=r, nonce=n, qop=\"x, y\"",
            "Digest realm=r, nonce=n, algorithm=SHA-512", "Digest YWI=",
            "Digest realm=r, nonce=n, algorithm=\"\"", "Digest realm=r, nonce=n, algorithm=SHA-1",
        ]
    )
    func unanswerable(field: String) {
        #expect(DigestChallenge.strongest(in: field) == nil)
    }

    @Test(
        "is chosen by strength, then by order",
        arguments: [
            (["MD5", "SHA-256"], "1"), (["SHA-256", "MD5"], "0"),
            (["MD5", "SHA-512-256", "SHA-256"], "1"), (["X", "SHA-256", "SHA-512-256"], "1"),
            (["SHA-512-256-sess", "MD5"], "0"), (["MD5", "MD5-sess"], "0"),
            (["MD5-sess", "SHA-256-sess", "SHA-256"], "1"), (["SHA-512", "MD5"], "1"),
        ]
    )
    func choosing(algorithms: [String], nonce: String) {
        let field = algorithms.enumerated()
            .map { "Digest realm=r, nonce=\($0), algorithm=\($1), qop=auth" }
            .joined(separator: ", ")
        #expect(DigestChallenge.strongest(in: "Basic realm=b, " + field)?.nonce == nonce)
    }

    @Test(
        "uses auth-int only when auth isn't offered",
        arguments: [
            ("auth", .authentication), ("auth-int", .integrity), ("AUTH-INT", .integrity),
            ("auth-int, auth", .authentication), ("auth auth-int", .authentication),
            ("x,auth-int", .integrity),
        ] as [(String, DigestChallenge.Quality)]
    )
    func qualities(field: String, quality: DigestChallenge.Quality) {
        let challenge = DigestChallenge.strongest(in: "Digest realm=r, nonce=n, qop=\"\(field)\"")
        #expect(challenge?.quality == quality)
    }

    @Test("prefers a quality of protection for equal hashes, but a stronger hash first")
    func quality() {
        let old = "Digest realm=r, nonce=old", new = "Digest realm=r, nonce=new, qop=auth"
        #expect(DigestChallenge.strongest(in: "\(old), \(new)")?.nonce == "new")
        let better = "Digest realm=r, nonce=better, algorithm=SHA-256"
        #expect(DigestChallenge.strongest(in: "\(new), \(better)")?.nonce == "better")
    }
}
