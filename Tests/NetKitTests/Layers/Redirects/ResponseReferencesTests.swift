import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLs in response header fields")
struct ResponseReferencesTests {
    private func response(_ headers: HTTPHeaders) throws -> HTTPResponse {
        let url = try #require(URL(string: "https://host.test:8443/v2/app/uploads/?state=1"))
        return HTTPResponse(request: URLRequest(url: url), url: url, status: 202, headers: headers)
    }

    @Test(
        "is resolved against the response's URL",
        arguments: [
            ("/v2/app/uploads/7?state=x", "https://host.test:8443/v2/app/uploads/7?state=x"),
            ("7", "https://host.test:8443/v2/app/uploads/7"),
            ("../blobs/7", "https://host.test:8443/v2/app/blobs/7"),
            ("?state=2", "https://host.test:8443/v2/app/uploads/?state=2"),
            ("//other.test/x", "https://other.test/x"),
            ("HTTP://other.test:80/x", "http://other.test:80/x"),
            ("https://user:secret@other.test/x#part", "https://other.test/x#part"),
            ("https://user@other.test/x", "https://other.test/x"),
            ("https://:secret@other.test/x", "https://other.test/x"),
            ("  /a b\u{e9}|%zz ", "https://host.test:8443/a%20b%C3%A9%7C%25zz"),
            ("#part", "https://host.test:8443/v2/app/uploads/?state=1#part"),
            ("/x#a#b", "https://host.test:8443/x#a%23b"),
            ("https://other.test/a/../x", "https://other.test/x"),
            ("urn:isbn:1", "urn:isbn:1"), ("", nil), ("  ", nil),
            ("http://other.test:99999/x", nil), ("https://other.test:99999/x", nil),
            ("https:///x", nil), ("http://[::1/x", nil),
        ] as [(String, String?)]
    )
    func resolved(value: String, expected: String?) throws {
        let response = try response([.location: value, "Operation-Location": value])
        #expect(response.location?.absoluteString == expected)
        #expect(response.url(in: "operation-location")?.absoluteString == expected)
        #expect(response.url(in: "Content-Location") == nil)
    }

    @Test("is nil without the field, or when several fields name it")
    func several() throws {
        #expect(try response([:]).location == nil)
        var headers: HTTPHeaders = [.location: "/a"]
        headers.append("/b", for: .location)
        #expect(try response(headers).location == nil)
    }
}
