import Testing

@testable import NetKit

@Suite("Header field names")
struct HTTPHeaderNameTests {
    @Test(
        "compares ASCII letters case-insensitively",
        arguments: [
            ("Content-Type", "content-type", true), ("ETAG", "ETag", true), ("", "", true),
            ("traceparent", "TraceParent", true), ("Accept", "Accept-", false),
            ("X-A", "X_A", false), ("[", "{", false), ("@", "`", false), ("É", "é", false),
            ("K", "\u{212A}", false), ("É", "E\u{301}", false),
        ]
    )
    func equality(left: HTTPHeaderName, right: HTTPHeaderName, areEqual: Bool) {
        #expect((left == right) == areEqual)
        #expect(Set([left, right]).count == (areEqual ? 1 : 2))
    }

    @Test("keeps its given spelling")
    func spelling() {
        #expect(HTTPHeaderName("x-REQUEST-id").rawName == "x-REQUEST-id")
        #expect("\(HTTPHeaderName("x-REQUEST-id"))" == "x-REQUEST-id")
        #expect(HTTPHeaderName("x-request-id") == "X-Request-ID")
        #expect(RequestHeaderKey("accept") == .accept)
    }

    @Test("is found in a dictionary in any case")
    func dictionary() {
        let values: [HTTPHeaderName: Int] = [.contentType: 1, "X-Trace": 2]
        #expect(values["CONTENT-TYPE"] == 1)
        #expect(values["x-trace"] == 2)
        #expect(values["x-trac"] == nil)
    }

    @Test(
        "spells registered fields as registered",
        arguments: [
            (HTTPHeaderName.eTag, "ETag"), (.te, "TE"), (.wwwAuthenticate, "WWW-Authenticate"),
            (.setCookie, "Set-Cookie"), (.idempotencyKey, "Idempotency-Key"),
            (.retryAfter, "Retry-After"),
        ]
    )
    func registered(name: HTTPHeaderName, spelling: String) {
        #expect(name.rawName == spelling)
    }

    @Test(
        "distinguishes credentials from names that only sound secret",
        arguments: [
            ("authorization", true, true), ("cookie2", true, true), ("", false, false),
            ("COOKIE", true, true), ("set-cookie", true, true),
            ("Proxy-Authorization", true, true), ("X-Api-Key", false, true),
            ("apikey", false, true), ("X-Auth-Token", false, true), ("client_secret", false, true),
            ("X-CSRF-TOKEN", false, true), ("Ocp-Apim-Subscription-Key", false, true),
            ("X-Original-Authorization", false, true), ("Accept", false, false),
            ("Idempotency-Key", false, false), ("key", false, true),
            ("Content-Type", false, false),
            ("X-Authenticated-User", false, true), ("X-Request-ID", false, false),
            // Negotiate sends a token in them (RFC 4559, section 4).
            ("WWW-Authenticate", false, true), ("Proxy-Authenticate", false, true),
        ]
    )
    func secrets(name: HTTPHeaderName, isCredential: Bool, soundsSecret: Bool) {
        #expect(name.isCredential == isCredential)
        #expect(name.soundsSecret == soundsSecret)
    }
}
