import Foundation
import Testing

@testable import NetKit

@Suite("Basic authentication")
struct BasicAuthenticationTests {
    private func request() throws -> EncodedRequest {
        EncodedRequest(url: try #require(URL(string: "https://h/")), method: .get)
    }

    @Test(
        "sends its credential with each request",
        arguments: [
            // The examples of RFC 7617, sections 2 and 2.1.
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("u", "p:q", "Basic dTpwOnE="),
            ("", "", "Basic Og=="),
            // No control characters of RFC 7617, which knows those of ASCII alone.
            ("a\u{85}", "\u{9F}", "Basic YcKFOsKf"),
        ]
    )
    func sending(name: String, password: String, value: String) async throws {
        let authentication = BasicAuthentication(username: name, password: password)
        for _ in 1...2 {
            var request = try request()
            try await authentication.authenticate(&request)
            #expect(request.headers[.authorization] == value)
            #expect(request.headers.isSensitive(.authorization))
        }
    }

    @Test(
        "rejects a colon in the user name and control characters in either part",
        arguments: [
            ("a:b", "p"), (":", ""), ("a\n", "p"), ("a", "p\0"), ("a\u{301}:\u{301}", "p"),
            ("a", "\u{7F}"), ("\u{1}", "p"),
        ]
    )
    func refusing(name: String, password: String) async throws {
        var request = try request()
        let error = await #expect(throws: InvalidRequest.self) {
            try await BasicAuthentication(username: name, password: password)
                .authenticate(&request)
        }
        #expect(error?.reason == .invalidHeader(name: "Authorization"))
        #expect(request.headers.isEmpty)
    }

    @Test("returns a 401 unchanged")
    func recovering() async throws {
        let request = try request()
        let head = ResponseHead(
            status: .unauthorized,
            headers: [.wwwAuthenticate: "Basic realm=\"r\""]
        )
        let response = HTTPResponse(to: request, head, body: Data())
        let authentication = BasicAuthentication(username: "u", password: "p")
        #expect(try await authentication.recover(from: response, to: request) == .none)
    }

    @Test("appears in no description")
    func showing() {
        let authentication = BasicAuthentication(username: "SECRET", password: "SECRET")
        var dumped = ""
        dump(authentication, to: &dumped)
        for text in ["\(authentication)", String(reflecting: authentication), dumped] {
            #expect(text.contains("‹redacted›"))
            #expect(!text.contains("SECRET"))
        }
    }
}
