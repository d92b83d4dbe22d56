import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Secret fields")
struct SecretFieldsTests {
    private var headers: HTTPHeaders {
        var headers: HTTPHeaders = [
            "Accept": "a", "Authorization": "b", "X-Api-Key": "c", "X-Tenant": "d",
        ]
        headers.set("X-Marked", to: "e", isSensitive: true)
        headers.setAtHome("X-Home", to: "f", isSensitive: false)
        return headers
    }

    @Test("are removed for another origin, and nothing else is")
    func removing() {
        #expect(headers.withoutCredentials().dictionary == ["Accept": "a", "X-Tenant": "d"])
        let rest = headers.withoutCredentials(hiding: ["x-tenant", "X-Other"])
        #expect(rest.dictionary == ["Accept": "a"])
        let plain: HTTPHeaders = ["Accept": "a"]
        #expect(plain.withoutCredentials() == plain)
    }

    @Test(
        "are named by what credentials are called, unless the field is a harmless one",
        arguments: [
            ("Authorization", true), ("X-Functions-Key", true), ("X-Master-Key", true),
            ("x-amz-server-side-encryption-customer-key", true), ("X-CSRF", true),
            ("X-XSRF", true), ("X-Hmac", true), ("X-Bearer", true), ("X-Sig", true),
            ("X-Token", true), ("X-Secret", true), ("X-Authz", true), ("X-Signature", true),
            ("X-Session", true), ("X-PassPhrase", true), ("Ocp-Apim-Subscription-Key", true),
            ("Accept", false), ("Idempotency-Key", false), ("X-Tenant", false),
            ("Access-Control-Allow-Credentials", false), ("X-Design", false),
        ]
    )
    func names(name: HTTPHeaderName, isCredential: Bool) {
        #expect(name.soundsSecret == isCredential)
        #expect(!name.soundsSecret || !name.folded.isHarmless)
    }

    @Test("stay at home with a new value, until they are set anew")
    func home() {
        var headers = headers
        headers["x-home"] = "g"
        #expect(headers.withoutCredentials()["X-Home"] == nil)
        headers.set("X-Home", to: "h")
        #expect(headers.withoutCredentials()["X-Home"] == "h")
    }
}
