import Testing

@testable import NetKit
@testable import NetKitDigest

@Suite("Authentication challenges")
struct AuthenticationChallengeTests {
    typealias Challenge = AuthenticationChallenge

    private static func scheme(_ scheme: String, _ parameters: [String: String] = [:]) -> Challenge
    {
        Challenge(scheme: scheme, parameters: parameters)
    }

    @Test(
        "parses one by one with any separators",
        arguments: [
            ("Basic realm=\"a\"", [scheme("Basic", ["realm": "a"])]),
            ("basic realm=a", [scheme("basic", ["realm": "a"])]),
            ("Basic", [scheme("Basic")]),
            ("  NTLM ,\t Negotiate  ", [scheme("NTLM"), scheme("Negotiate")]),
            ("Basic REALM=a", [scheme("Basic", ["realm": "a"])]),
            ("Basic\trealm \t=  \"a\" ", [scheme("Basic", ["realm": "a"])]),
            ("Basic realm=\"\"", [scheme("Basic", ["realm": ""])]),
            // Empty elements of a list mean nothing (RFC 9110, section 5.6.1.2).
            (", ,Basic realm=a,, ,x=y,", [scheme("Basic", ["realm": "a", "x": "y"])]),
            ("Basic ,realm=a", [scheme("Basic", ["realm": "a"])]),
            // The example of RFC 9110, section 11.6.1.
            (
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                [
                    scheme("Basic", ["realm": "simple"]),
                    scheme(
                        "Newauth",
                        ["realm": "apps", "type": "1", "title": #"Login to "apps""#]
                    ),
                ]
            ),
            (
                #"Digest realm="a,b=\\c", qop="auth,auth-int",Digest realm=d"#,
                [
                    scheme("Digest", ["realm": #"a,b=\c"#, "qop": "auth,auth-int"]),
                    scheme("Digest", ["realm": "d"]),
                ]
            ),
            ("A x=\"é\\ü\t\"", [scheme("A", ["x": "éü\t"])]),
            // A scheme may be the name of a parameter, and the other way round.
            (
                "A realm=1, realm realm=2",
                [scheme("A", ["realm": "1"]), scheme("realm", ["realm": "2"])]
            ),
            // Not of the grammar, and yet seen: base64 without quotes.
            ("A x=YWI+/w==, y=z", [scheme("A", ["x": "YWI+/w==", "y": "z"])]),
            ("", []), (" \t", []), (",,", []),
        ]
    )
    func wellFormed(field: String, challenges: [Challenge]) {
        #expect(Challenge.challenges(in: field) == challenges)
    }

    @Test(
        "can have one token instead of parameters",
        arguments: [
            ("Negotiate YWI=", "YWI="), ("Negotiate a+b/c-._~0==", "a+b/c-._~0=="),
            ("Negotiate   realm", "realm"), ("Negotiate realm=", "realm="),
            ("Negotiate abc== , , NTLM", "abc=="),
        ]
    )
    func token68(field: String, token: String) {
        #expect(
            Challenge.challenges(in: field).first
                == Challenge(scheme: "Negotiate", token68: token)
        )
    }

    @Test(
        "is skipped when malformed, and only then",
        arguments: [
            // Parameters without a scheme.
            "realm=a", "=", "=a", "\"a\"", "\"Digest realm=a\"",
            // Values that do not end, or are not there.
            "Bad realm=\"a", "Bad realm=\"a\\", "Bad realm=\"a\\\"", "Bad realm=\"a\" \"b",
            "Bad z=1, x=,", "Bad x=1, y=", "Bad x=1,y=\"",
            // More than a value.
            "Bad realm=\"a\"b", "Bad realm=\"a\" x=y", "Bad realm=a b", "Bad a b", "Bad a=b\"c\"",
            "Bad realm=\"a\";x=y", "Bad a b=\"x, Evil y=z, w\"",
            // Twice the same (RFC 9110, section 11.2), or after a token.
            "Bad realm=a, Realm=b", "Bad abc==, x=y", "Bad abc==x\"",
            // Characters that no token has.
            "B@d realm=a", "Bäd realm=a", "Bad (a)=b", "Bad/x", "Bad\"x\"", "{}", "Bad a/b c",
            "Bad @",
            // Control characters in quotes, escaped ones too.
            "Bad realm=\"a\r\nb\"", "Bad realm=\"a\0\"", "Bad realm=\"\\\n\"",
            "Bad realm=\"\u{7F}\"",
            "Bad\r\n", "Bad realm=a\r\nX: y",
        ]
    )
    func malformed(bad: String) {
        #expect(Challenge.challenges(in: bad) == [])
        let good = Challenge(scheme: "Good", parameters: ["x": "y, Bad z"])
        #expect(Challenge.challenges(in: "Good x=\"y, Bad z\", " + bad).first?.scheme != "Bad")
        // A string that does not end takes everything with it.
        guard bad.utf8.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 0, !bad.contains("\\")
        else { return }
        #expect(Challenge.challenges(in: bad + ", Good x=\"y, Bad z\"") == [good])
    }

    @Test("doesn't add a malformed challenge's parameters to the previous one")
    func noLeak() {
        let digest = Challenge(scheme: "Digest", parameters: ["realm": "a"])
        let basic = Challenge(scheme: "Basic", parameters: ["realm": "d"])
        for bad in [#"B@d realm="b""#, #"Bad realm="b"x"#, "Bad realm=b b"] {
            let field = #"Digest realm="a", \#(bad), nonce="c", Basic realm="d""#
            #expect(Challenge.challenges(in: field) == [digest, basic])
        }
        // What begins with no name may be the rest of the one before.
        let field = #"Digest realm="a", @, nonce="c", Basic realm="d""#
        #expect(Challenge.challenges(in: field) == [basic])
    }

    @Test("survives every substring of a field")
    func cuts() {
        let field = #"Digest realm="a\"b", nonce=c==, qop="auth", Negotiate YWI=, Basic realm="é""#
        let bytes = Array(field.utf8)
        for start in bytes.indices {
            for end in start...bytes.count {
                let cut = String(decoding: bytes[start..<end], as: UTF8.self)
                #expect(Challenge.challenges(in: cut).count <= 4)
            }
        }
        let many = String(repeating: "\"", count: 100_001) + String(repeating: ",=", count: 100_000)
        #expect(Challenge.challenges(in: many).isEmpty)
    }
}
