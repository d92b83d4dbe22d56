import Foundation
import Testing

@testable import NetKit
@testable import NetKitDigest
@testable import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Digest credentials")
struct DigestAnswerTests {
    private func answer(
        _ field: String,
        name: String = "Mufasa",
        password: String,
        method: String = "GET",
        target: String = "/dir/index.html",
        count: UInt32 = 1,
        clientNonce: String
    ) throws -> DigestAnswer {
        DigestAnswer(
            user: DigestUser(name: name, password: password),
            challenge: try #require(DigestChallenge.strongest(in: field)),
            method: method,
            target: target,
            count: count,
            clientNonce: clientNonce
        )
    }

    @Test("uses the method as URLRequest sends it", arguments: ["get", "Post", "query", "X-a"])
    func method(token: String) throws {
        let url = try #require(URL(string: "http://h.test/"))
        var plain = URLRequest(url: url)
        plain.httpMethod = token
        let request = EncodedRequest(url: url, method: .custom(token))
        #expect(DigestAuthentication.method(of: request) == plain.httpMethod)
    }

    @Test(
        "matches RFC 7616, section 3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func example(algorithm: String, response: String) throws {
        let field = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
            opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        let answer = try answer(
            field,
            password: "Circle of Life",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        #expect(
            answer.fieldValue == """
                Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", algorithm=\(algorithm), \
                nc=00000001, qop=auth, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", \
                response="\(response)", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """
        )
    }

    /// The challenge of RFC 2617, section 3.5, which has that of RFC 2069 in it.
    private static let classic = """
        Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"
        """

    @Test("matches RFC 2069, section 2.4, with erratum 749")
    func withoutQuality() throws {
        let answer = try answer(Self.classic, password: "CircleOfLife", clientNonce: "unused")
        #expect(
            answer.fieldValue == """
                Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
                nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
                response="1949323746fe6a43ef61f9606e7febea"
                """
        )
    }

    @Test(
        "matches RFC 2617, section 3.5, and the other algorithms",
        arguments: [
            ("qop=auth", "6629fae49393a05397450978507c4ef1"),
            ("qop=auth,algorithm=MD5-sess", "8e3825c57e897f5a0dec6c2d4e5059d0"),
            ("algorithm=MD5-sess", "4726bc10c33fa6cb357eb27807b1cce8"),
            (
                "qop=auth,algorithm=SHA-256",
                "5abdd07184ba512a22c53f41470e5eea7dcaa3a93a59b630c13dfe0a5dc6e38b"
            ),
            (
                "qop=auth,algorithm=SHA-256-sess",
                "b8822e12417cb7750f4e2b8515f0dcf25b7dd26993e80bee1426201446a7f59b"
            ),
            (
                "qop=auth,algorithm=SHA-512-256",
                "f23c08ec7334a881f8286e68450ddbd9f0cd91c41481f0e1433604da8113c6dc"
            ),
            (
                "qop=auth,algorithm=SHA-512-256-sess",
                "0d21f0db3ec5cda5b850c0afa3bc29b4a3c5a6191959ff1baf511d4b38eb6b1e"
            ),
            (
                "algorithm=SHA-256-sess",
                "6f421709505a71923c950606510a113314a303e5224f5d6390e4ad42cb718479"
            ),
        ]
    )
    func algorithms(parameters: String, response: String) throws {
        let answer = try answer(
            "\(Self.classic), \(parameters)",
            password: "Circle Of Life",
            clientNonce: "0a4f113b"
        )
        #expect(answer.response == response)
        // Without it no server could compute the secret of a session.
        #expect(answer.fieldValue.contains(#"cnonce="0a4f113b""#))
        #expect(answer.fieldValue.contains("nc=") == parameters.contains("qop"))
    }

    @Test(
        "includes the body's hash for auth-int",
        arguments: [
            ("MD5", "", "5e6610ecf9ba3017a4870ad48e3ad30b"),
            ("MD5", "v=%0D%0A", "948aca4bf1e2f2d30a2d45b5f7ff5695"),
            ("MD5-sess", "", "0c9976da714ad8905eb2720abe326a63"),
            (
                "SHA-256", "v=%0D%0A",
                "ea4f4762027b196c761bb07adc458dd767a1b7efdd3d4ab9934e2cca167c57a7"
            ),
            (
                "SHA-512-256", "v=%0D%0A",
                "695f3daf234d6fef022257180495da6f34e658d70d829b1920dc19f521ee8fd7"
            ),
        ]
    )
    func integrity(algorithm: String, body: String, response: String) throws {
        var answer = try answer(
            "\(Self.classic), qop=auth-int, algorithm=\(algorithm)",
            password: "Circle Of Life",
            clientNonce: "0a4f113b"
        )
        let source = body.isEmpty ? nil : BodySource(Data(body.utf8))
        answer.bodyDigest = try answer.challenge.algorithm.digest(of: source)
        #expect(answer.response == response)
        #expect(answer.fieldValue.contains("qop=auth-int"))
    }

    /// The challenge of RFC 7616, section 3.9.2, with other algorithms.
    private func unicode(_ parameters: String, name: String = "Jäsøn Doe") throws -> DigestAnswer {
        try answer(
            """
            Digest realm="api.example.org", qop="auth", \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", charset=UTF-8, \(parameters)
            """,
            name: name,
            password: "Secret, or not?",
            target: "/doe.json",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm"
        )
    }

    @Test(
        "hashes the user name on request",
        arguments: [
            ("MD5", "c4f366679e649c520b1314f516e0e2f5", "ff516a16c5ea74d264a17cf43ad4a6e0"),
            (
                "SHA-256", "aec627a753c5d27ecbd6fda5445047d21727876a5f19ef90b813919a8c932fb9",
                "6b6291c155d1301192476ed5378fc7c27307b66a432777223b07a320aaca01fc"
            ),
            (
                "SHA-512-256", "8fae5b17a811fd56ab11a0a3c4eca561e420e4728b3a31ecc09112cd3864e322",
                "891c212d7330e60d6c849c171dea0ed7a9ed6fe5cb61cce1cad86dcab90d6841"
            ),
        ]
    )
    func userHash(algorithm: String, name: String, response: String) throws {
        let answer = try unicode("algorithm=\(algorithm), userhash=true")
        #expect(answer.fieldValue.hasPrefix("Digest username=\"\(name)\", "))
        #expect(answer.fieldValue.hasSuffix(", userhash=true"))
        #expect(answer.response == response)
    }

    @Test(
        "encodes a user name that can't be quoted in the extended form",
        arguments: [
            ("Jäsøn Doe", "J%C3%A4s%C3%B8n%20Doe"), ("🔑*'\"%", "%F0%9F%94%91%2A%27%22%25"),
            ("a\r\nb", "a%0D%0Ab"), ("\u{7F}", "%7F"),
        ]
    )
    func extended(name: String, encoded: String) throws {
        let answer = try unicode("userhash=false", name: name)
        #expect(answer.fieldValue.hasPrefix("Digest username*=UTF-8''\(encoded), "))
        #expect(!answer.fieldValue.contains("userhash"))
    }

    @Test("normalizes characters only when the server names its charset")
    func normalized() throws {
        let decomposed = "Ja\u{308}søn Doe"
        #expect(
            try unicode("algorithm=MD5", name: decomposed).response
                == "ff516a16c5ea74d264a17cf43ad4a6e0"
        )
        let field = "Digest realm=r, nonce=n"
        let responses = try [decomposed, "Jäsøn Doe"]
            .map { try answer(field, name: $0, password: "", clientNonce: "").response }
        #expect(responses[0] != responses[1])
    }

    @Test("escapes quoted values, and hashes them unescaped")
    func escapes() throws {
        let field = #"Digest realm="a \"quoted\" \\ realm", nonce="\n", qop=auth, opaque="\"\\""#
        let answer = try answer(
            field,
            name: #"u"s\er"#,
            password: "p",
            target: "/",
            clientNonce: "c"
        )
        #expect(
            answer.fieldValue == #"""
                Digest username="u\"s\\er", realm="a \"quoted\" \\ realm", uri="/", nonce="n", \#
                nc=00000001, qop=auth, cnonce="c", response="ad6ab8dbbd32d42fc974dc8373be40fc", \#
                opaque="\"\\"
                """#
        )
    }

    @Test(
        "prints the count in eight hexadecimal digits",
        arguments: [(1, "00000001"), (255, "000000ff"), (UInt32.max, "ffffffff")]
    )
    func counts(count: UInt32, text: String) throws {
        let field = "Digest realm=r, nonce=n, qop=auth"
        let answer = try answer(field, password: "", count: count, clientNonce: "")
        #expect(answer.fieldValue.contains("nc=\(text),"))
    }
}
