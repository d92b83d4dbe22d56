import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Typed header fields")
struct HTTPHeaderAccessorsTests {
    @Test("reads, sets and removes content type, accepted types and language")
    func accessors() {
        var headers: HTTPHeaders = ["content-type": "Application/JSON; charset=UTF-8"]
        #expect(headers.contentType == .application(.json, parameters: ["charset": "utf-8"]))
        headers.contentType = .image(.png)
        headers.accept = .application(.json)
        headers.language = "uk, en;q=0.5"
        #expect(headers[.contentType] == "image/png")
        #expect(headers[.accept] == "application/json")
        #expect(headers[.acceptLanguage] == "uk, en;q=0.5")
        #expect(headers.language == "uk, en;q=0.5")
        headers.contentType = nil
        headers.accept = nil
        headers.language = nil
        #expect(headers.isEmpty)
    }

    @Test("returns nil for an invalid value")
    func invalid() {
        let headers: HTTPHeaders = ["Content-Type": "json", "Accept": "text/html, */*;q=0.8"]
        #expect(headers.contentType == nil)
        #expect(headers.accept == nil)
    }

    @Test(
        "stores a token in its field and returns it",
        arguments: [
            (.bearer("t"), .authorization, "Bearer t"),
            (.basic(username: "u", password: "p:q"), .authorization, "Basic dTpwOnE="),
            (.basic(username: "", password: ""), .authorization, "Basic Og=="),
            (.basic(username: "Алі", password: "🔑"), .authorization, "Basic 0JDQu9GWOvCflJE="),
            (.custom("Bearer t"), .authorization, "Bearer t"),
            (.custom("Digest a=\"b\""), .authorization, "Digest a=\"b\""),
            (.custom(key: "X-Key", token: "k"), "X-Key", "k"),
            (.header(name: "authorization", value: "v"), .authorization, "v"),
        ] as [(AuthToken, HTTPHeaderName, String)]
    )
    func token(token: AuthToken, name: HTTPHeaderName, value: String) {
        var headers: HTTPHeaders = ["Accept": "a"]
        headers.authToken = token
        #expect(headers[name] == value)
        #expect(headers.isSensitive(name))
        #expect(headers.authToken == token)
        #expect(headers.count == 2)
        #expect(!headers.invalidAuthToken)
        headers.authToken = nil
        #expect(headers == ["Accept": "a"])
        #expect(headers.authToken == nil)
    }

    @Test("reads a token from a plain Authorization field")
    func plainAuthorization() {
        var headers: HTTPHeaders = ["authorization": "bearer t"]
        #expect(headers.authToken == .bearer("t"))
        headers.authToken = .custom(key: "X-Key", token: "k")
        #expect(headers.dictionary == ["X-Key": "k"])
        headers.authToken = .bearer("u")
        #expect(headers.dictionary == ["Authorization": "Bearer u"])
        headers[.authorization] = "Basic dTpw"
        #expect(headers.authToken == .basic(username: "u", password: "p"))
    }

    @Test("clears the token when its field is overwritten or removed")
    func overwriting() {
        var headers = HTTPHeaders()
        headers.authToken = .custom(key: "X-Key", token: "k")
        headers["x-key"] = "other"
        #expect(headers.authToken == nil)
        #expect(headers.isSensitive("X-Key"))
        headers.authToken = .bearer("t")
        headers.remove("AUTHORIZATION")
        #expect(headers.authToken == nil)
    }

    @Test("replaces the token on merge, in whatever field")
    func mergingTokens() {
        var own: HTTPHeaders = ["Accept": "a"]
        own.authToken = .custom(key: "X-Key", token: "k")
        var other = HTTPHeaders()
        other.authToken = .bearer("t")
        #expect(own.merging(other) == ["Accept": "a", "Authorization": "Bearer t"])
        #expect(own.merging(other).authToken == .bearer("t"))
        #expect(other.merging(own) == ["Accept": "a", "X-Key": "k"])
        #expect(other.merging(own).authToken == .custom(key: "X-Key", token: "k"))
        #expect(own.merging(["Accept": "b"]).authToken == .custom(key: "X-Key", token: "k"))
        #expect(HTTPHeaders().merging(own).authToken == .custom(key: "X-Key", token: "k"))
    }

    @Test("keeps a token in a custom field beside a plain Authorization")
    func keyBesideAuthorization() {
        var own = HTTPHeaders()
        own.authToken = .custom(key: "X-Key", token: "k")
        let merged = own.merging(["Authorization": "Bearer t"])
        #expect(merged == ["X-Key": "k", "Authorization": "Bearer t"])
        #expect(merged.isSensitive("X-Key"))
    }

    @Test(
        "remembers a token that can't be sent",
        arguments: [
            AuthToken.basic(username: "a:b", password: "c"),
            .basic(username: "a\r\nX: y", password: "c"),
            .basic(username: "a", password: "c\u{0}"), .basic(username: "a", password: "\u{7F}"),
            .basic(username: "\u{1F}", password: ""),
        ]
    )
    func unsendable(token: AuthToken) {
        var headers: HTTPHeaders = ["Authorization": "Bearer old"]
        headers.authToken = token
        #expect(token.fieldValue == nil)
        #expect(headers.invalidAuthToken)
        #expect(headers[.authorization] == nil)
        #expect(headers.authToken == token)
        #expect((["A": "1"] as HTTPHeaders).merging(headers).invalidAuthToken)
        var other = HTTPHeaders()
        other.authToken = .bearer("t")
        #expect(!headers.merging(other).invalidAuthToken)
        #expect(!headers.merging(["authorization": "Bearer t"]).invalidAuthToken)
        headers.authToken = nil
        #expect(!headers.invalidAuthToken)
    }

    @Test("trims blanks at either end of a value")
    func trimming() {
        let values = [
            ("a", "a"), (" a", "a"), ("\ta", "a"), ("a ", "a"), ("a\t", "a"), (" \ta b\t ", "a b"),
            (" ", ""), ("", ""), ("a\tb", "a\tb"),
        ]
        for (value, trimmed) in values {
            var headers: HTTPHeaders = ["X": value]
            headers.trimValues()
            #expect(headers["X"] == trimmed)
        }
    }

    @Test("accepts every byte of a value but control characters")
    func values() {
        for byte in UInt8.min...0x7F {
            let text = "a" + String(Character(Unicode.Scalar(byte))) + "b"
            #expect(
                text.isFieldValue == (byte == 0x09 || (byte >= 0x20 && byte != 0x7F)),
                "\(byte)"
            )
        }
        #expect("é".isFieldValue && "".isFieldValue)
    }
}
