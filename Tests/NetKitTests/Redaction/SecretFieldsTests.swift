import Testing

@testable import NetKit

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

    @Test("stay at home with a new value, until they are set anew")
    func home() {
        var headers = headers
        headers["x-home"] = "g"
        #expect(headers.withoutCredentials()["X-Home"] == nil)
        headers.set("X-Home", to: "h")
        #expect(headers.withoutCredentials()["X-Home"] == "h")
    }
}
