import Testing

@testable import NetKit

@Suite("Authentication tokens")
struct AuthTokenTests {
    @Test(
        "parses back from a header field value",
        arguments: [
            ("Bearer abc.def", .bearer("abc.def")), ("bearer abc", .bearer("abc")),
            ("BEARER   abc", .bearer("abc")),
            ("Basic dTpwOnE=", .basic(username: "u", password: "p:q")),
            ("basic Og==", .basic(username: "", password: "")),
            ("Basic 0JDQu9GWOvCflJE=", .basic(username: "Алі", password: "🔑")),
            ("Basic !!!", .custom("Basic !!!")), ("Basic", .custom("Basic")),
            // No colon, and no UTF-8.
            ("Basic dQ==", .custom("Basic dQ==")), ("Basic /zr/", .custom("Basic /zr/")),
            ("Bearer", .custom("Bearer")), ("Bearer ", .custom("Bearer ")),
            ("Digest x", .custom("Digest x")), ("", .custom("")), ("tok", .custom("tok")),
        ] as [(String, AuthToken)]
    )
    func reading(value: String, token: AuthToken) {
        #expect(AuthToken(value) == token)
    }

    @Test(
        "round-trips through its own value",
        arguments: [
            AuthToken.bearer("a b"), .basic(username: "é", password: "::"), .custom("x y z"),
            .basic(username: "u", password: "\u{301}p"), .basic(username: "\u{301}", password: ""),
        ]
    )
    func roundTrip(token: AuthToken) throws {
        #expect(AuthToken(try #require(token.fieldValue)) == token)
    }

    @Test("has a custom field for a key and a token")
    func custom() {
        let token = AuthToken.custom(key: "X-Api-Key", token: "k")
        #expect(token == .header(name: "x-api-key", value: "k"))
        #expect(token.fieldName == "X-Api-Key")
        #expect(token.fieldValue == "k")
    }

    @Test(
        "appears in no description",
        arguments: [
            AuthToken.bearer("SECRET"), .basic(username: "SECRET", password: "SECRET"),
            .custom("SECRET"), .header(name: "X-Key", value: "SECRET"),
        ]
    )
    func showing(token: AuthToken) {
        var dumped = ""
        dump(token, to: &dumped)
        dump(["token": Optional(token)], to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] {
            #expect(text.contains("‹redacted›"))
            #expect(!text.contains("SECRET"))
        }
    }

    @Test("can send every name and password without control characters or a colon in the name")
    func characters() {
        for byte in UInt8.min...0x7F {
            let text = String(Character(Unicode.Scalar(byte)))
            let isPrintable = byte >= 0x20 && byte != 0x7F
            #expect(
                (AuthToken.basic(username: text, password: "p").fieldValue != nil)
                    == (isPrintable && text != ":")
            )
            #expect(
                (AuthToken.basic(username: "u", password: text).fieldValue != nil) == isPrintable
            )
        }
    }
}
