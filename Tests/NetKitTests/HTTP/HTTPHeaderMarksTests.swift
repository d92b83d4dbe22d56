import Testing

@testable import NetKit

@Suite("Sensitive header fields")
struct HTTPHeaderMarksTests {
    @Test("includes marked fields and known credentials")
    func marks() {
        var headers: HTTPHeaders = ["Accept": "*/*", .cookie: "c"]
        headers.set("X-Own", to: "s", isSensitive: true)
        #expect(headers.isSensitive("x-own"))
        #expect(headers.isSensitive("COOKIE"))
        #expect(headers.isSensitive(.authorization))
        #expect(headers.isSensitive(.proxyAuthorization))
        #expect(!headers.isSensitive(.accept))
        #expect(!headers.isSensitive("X-Absent"))
    }

    @Test("keeps its mark with a new value, until it is cleared")
    func keeping() {
        var headers = HTTPHeaders()
        headers.set("X-Own", to: "1", isSensitive: true)
        headers["x-own"] = "2"
        #expect(headers.isSensitive("X-Own"))
        headers.set("X-Own", to: "3")
        #expect(!headers.isSensitive("X-Own"))
        headers.set("X-Own", to: "4", isSensitive: true)
        headers["X-Own"] = nil
        headers["X-Own"] = "5"
        #expect(!headers.isSensitive("X-Own"))
    }

    @Test("keeps its mark in a merge, from either side")
    func merging() {
        var marked = HTTPHeaders()
        marked.set("X-Own", to: "1", isSensitive: true)
        let plain: HTTPHeaders = ["x-OWN": "2"]
        #expect(marked.merging(plain).isSensitive("X-Own"))
        #expect(marked.merging(plain)["X-Own"] == "2")
        #expect(plain.merging(marked).isSensitive("X-Own"))
    }

    @Test("is passed on to each field that is appended")
    func appending() {
        var headers = HTTPHeaders()
        headers.set("X-Own", to: "1", isSensitive: true)
        headers.append("2", for: "x-own")
        headers.append("3", for: "X-Plain")
        #expect(headers.fields.map(\.isSensitive) == [true, true, false])
    }

    @Test("allows a Host field in a merge if either side allows it", arguments: [false, true])
    func hosts(isFirst: Bool) {
        var lenient: HTTPHeaders = ["Host": "a.test"]
        lenient.allowsHostOverride = true
        let plain: HTTPHeaders = ["Accept": "*/*"]
        let merged = isFirst ? lenient.merging(plain) : plain.merging(lenient)
        #expect(merged.allowsHostOverride)
        #expect(!plain.merging(plain).allowsHostOverride)
    }

    @Test("is removed along with every credential")
    func withoutCredentials() {
        var headers: HTTPHeaders = [
            "Accept": "a", "authorization": "b", "Cookie": "c", "COOKIE2": "d",
            "Proxy-Authorization": "e", "X-Plain": "f",
        ]
        headers.set("X-Marked", to: "g", isSensitive: true)
        #expect(headers.withoutCredentials() == ["Accept": "a", "X-Plain": "f"])
        headers.authToken = .header(name: "X-Key", value: "k")
        #expect(headers.withoutCredentials() == ["Accept": "a", "X-Plain": "f"])
        #expect(headers.withoutCredentials().authToken == nil)
    }

    static let secrets: [HTTPHeaders] = {
        var marked = HTTPHeaders()
        marked.set("X-Plain-Name", to: "SECRET", isSensitive: true)
        var token = HTTPHeaders()
        token.authToken = .custom(key: "X-Who", token: "SECRET")
        var basic = HTTPHeaders()
        basic.authToken = .basic(username: "SECRET", password: "SECRET")
        var unsendable = HTTPHeaders()
        unsendable.authToken = .basic(username: "SECRET:", password: "SECRET")
        return [
            marked, token, basic, unsendable, ["Authorization": "Bearer SECRET"],
            ["cookie": "SECRET"], ["Set-Cookie": "SECRET"], ["Proxy-Authorization": "SECRET"],
            ["X-Api-Key": "SECRET"], ["x-goog-api-key": "SECRET"], ["X-Auth-Token": "SECRET"],
            ["X-Client-Secret": "SECRET"],
        ]
    }()

    @Test("appears in no description", arguments: secrets)
    func showing(secret: HTTPHeaders) {
        let headers = (["Accept": "text/plain"] as HTTPHeaders).merging(secret)
        var dumped = ""
        dump(headers, to: &dumped)
        for text in ["\(headers)", String(reflecting: headers), dumped] {
            #expect(text.contains("Accept"))
            #expect(text.contains("text/plain"))
            #expect(!text.contains("SECRET"))
            // "SECRET:SECRET" in base64.
            #expect(!text.contains("U0VDUkVU"))
        }
        let wrapped = "\([headers])" + "\(Optional(headers) as Any)"
        #expect(!wrapped.contains("SECRET"))
    }

    @Test("prints as redacted")
    func shown() {
        let headers: HTTPHeaders = ["Accept": "a", "Authorization": "Bearer x"]
        #expect("\(headers)" == "Accept: a, Authorization: ‹redacted›")
    }

    @Test("keep those of an earlier collection, whatever the spelling of the name")
    func keeping() {
        var earlier: HTTPHeaders = ["X-Plain": "1"]
        earlier.set("X-Tenant", to: "t", isSensitive: true)
        earlier.setAtHome("X-Home", to: "h", isSensitive: false)
        earlier.allowsHostOverride = true
        var later: HTTPHeaders = ["X-Plain": "2", "x-tenant": "u", "X-Home": "i", "X-New": "n"]
        later.append("v", for: "X-Tenant")
        later.keepMarks(of: earlier)
        #expect(later.fields.filter(\.isSensitive).map(\.value) == ["u", "v"])
        #expect(later.fields.filter(\.staysHome).map(\.value) == ["i"])
        #expect(later.allowsHostOverride)
    }
}
