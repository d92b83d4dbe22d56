import Foundation
import Testing

@testable import NetKitSupport

@Suite("Secret names")
struct SecretNamesTests {
    @Test(
        "finds a secret name however its words are joined",
        arguments: [
            "token", "X-Api-Key", "access_token", "clientSecret", "user[password]", "api key",
            "API.KEY", "ttoken", "sessionid", "new_pin", "userPin", "AUTH", "x-auth", "pa-ss-wd",
            "X-Amz-Signature", "SAMLResponse", "secsecret", "tokdtoken", "pässword_token",
        ]
    )
    func secret(name: String) {
        #expect(SecretNames.suggests(name))
    }

    @Test(
        "finds no secret in other words",
        arguments: [
            "", "author", "compass", "spinning", "keyword", "postcode", "pinned", "tok9en", "t",
            "authored", "passé", "bypass", "opt", "toke!n", "XAuthor", "HTTPSignal", "IDPinned",
            "SPINNER", "PINNED",
        ]
    )
    func plain(name: String) {
        #expect(!SecretNames.suggests(name))
    }

    @Test("distinguishes secrets from amounts")
    func amounts() {
        for name in ["max_tokens", "tokenCount", "token_expires_in", "sessionTimeout"] {
            #expect(SecretNames.suggestsAmount(name.utf8))
        }
        for name in ["token", "discount", "tokensx"] {
            #expect(!SecretNames.suggestsAmount(name.utf8))
        }
    }

    @Test(
        "finds every word of a secret, also inside longer words",
        arguments: [
            "token", "secret", "password", "passwd", "passphrase", "passcode", "credential",
            "signature", "session",
            "apikey", "accesskey", "authkey", "privatekey", "subscriptionkey", "encryptionkey",
            "signingkey",
            "authorization", "oauth", "cookie", "jwt", "assertion", "codeverifier", "saml",
            "bearer", "csrf", "hmac", "xsrf",
        ]
    )
    func parts(word: String) {
        for name in [word, "x\(word)s", "my_\(word)", word.uppercased()] {
            #expect(SecretNames.suggests(name))
        }
        #expect(!SecretNames.suggests(String(word.dropLast())) || word == "tokens")
        #expect(!SecretNames.suggestsAmount(word.utf8))
    }

    @Test(
        "finds every whole word of a secret, and not inside longer words",
        arguments: ["auth", "otp", "pass", "pin", "pwd", "sig", "totp"]
    )
    func wholeWords(word: String) {
        let capitals = ["\(word.uppercased())Code", "DB\(word.capitalized)"]
        for name in [word, "my_\(word)", "\(word)Code", "a-\(word)-b"] + capitals {
            #expect(SecretNames.suggests(name))
        }
        for name in ["x\(word)", "\(word)x"] { #expect(!SecretNames.suggests(name)) }
    }

    @Test(
        "knows every word of an amount",
        arguments: [
            "tokens", "count", "expires", "expiry", "expiration", "ttl", "length", "size", "limit",
            "timeout", "age",
        ]
    )
    func amountWords(word: String) {
        let capitals = "JWT\(word.capitalized)"
        for name in ["token_\(word)", "\(word)", "tokenMax\(word.capitalized)", capitals] {
            #expect(SecretNames.suggestsAmount(name.utf8))
        }
        for name in ["token\(word)x", "x\(word)", String(word.dropLast())] {
            #expect(!SecretNames.suggestsAmount(name.utf8))
        }
    }
}
