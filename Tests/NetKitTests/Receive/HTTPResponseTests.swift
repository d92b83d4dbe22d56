import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("HTTP responses")
struct HTTPResponseTests {
    @Test("describes itself on one line")
    func description() throws {
        let response = try HTTPResponse.sample(
            "{}",
            status: 404,
            method: "POST",
            url: "https://user:pw@host:8443/a/b?page=1&token=SECRET#part"
        )
        #expect(
            response.description == "HTTP 404 from POST https://host:8443/a/b?page&token (2 bytes)"
        )
        #expect(response.statusCode == 404)
    }

    @Test("prints no secret, however it is printed")
    func redaction() throws {
        let response = try HTTPResponse.sample(
            "SECRET",
            url: "https://SECRET:SECRET@host/path?key=SECRET"
        )
        let answer = Response(value: "SECRET", http: response, attempts: 2, duration: .seconds(1))
        var dumped = ""
        dump(response, to: &dumped)
        dump(answer, to: &dumped)
        for text in [
            "\(response)", String(reflecting: response), "\([response])", dumped, "\(answer)",
            String(reflecting: answer), "\([answer])",
        ] {
            #expect(!text.contains("SECRET"))
        }
        #expect(dumped.contains("https://host/path?key"))
        #expect("\(answer)".contains("2 attempts"))
    }

    @Test(
        "is empty for 204, 205, HEAD and no body",
        arguments: [
            ("", 200, "GET", true), ("x", 204, "GET", true), ("x", 205, "GET", true),
            ("x", 200, "HEAD", true), ("x", 200, "GET", false), ("x", 404, "GET", false),
        ]
    )
    func noContent(body: String, status: Int, method: String, isEmpty: Bool) throws {
        let response = try HTTPResponse.sample(
            body,
            status: HTTPStatus(rawValue: status),
            method: method
        )
        #expect(response.hasNoContent == isEmpty)
    }

    @Test("has a body with indices from 0, even when sliced")
    func bodyIndices() throws {
        let response = try HTTPResponse.sample(data: Data("abcdef".utf8).dropFirst(3))
        #expect(response.body.startIndex == 0)
        #expect(response.body == Data("def".utf8))
    }

    @Test(
        "prints URLs without possible secrets",
        arguments: [
            ("https://host/a?b=c", "https://host/a?b"), ("https://host", "https://host"),
            ("http://u@host/?a=1&b&c=", "http://host/?a&b&c"), ("/a@b?c=d", "/a@b?c"),
            ("https://host/a@b", "https://host/a@b"),
            ("https://host?q=https://u:p@x", "https://host?q"),
            ("https://a:b@c@host/", "https://host/"), ("https://h/p#access_token=1", "https://h/p"),
            ("data:,x", "data:,x"),
        ]
    )
    func addresses(address: String, shown: String) throws {
        let url = try #require(URL(string: address))
        #expect(RedactedURL(url).description == shown)
    }
}
