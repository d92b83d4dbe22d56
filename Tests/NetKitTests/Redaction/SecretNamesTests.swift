import Testing

@testable import NetKit

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
            "authored", "passé", "bypass", "opt", "toke!n",
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
}
