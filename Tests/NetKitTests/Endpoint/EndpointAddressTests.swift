import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Endpoint from a string")
struct EndpointAddressTests {
    @Test(
        "sends to the URL of the string",
        arguments: [
            ("https://api.example.com", "https://api.example.com/x"),
            ("https://api.example.com/", "https://api.example.com/x"),
            ("HTTP://localhost:8080/v2", "http://localhost:8080/v2/x"),
            ("http://host:1/a b", "http://host:1/a%20b/x"),
            ("http://host:65535/?key=k#part", "http://host:65535/x?key=k"),
            ("http://127.0.0.1:80/../a", "http://127.0.0.1:80/a/x"),
        ]
    )
    func sent(text: String, expected: String) throws {
        let endpoint = try Endpoint(text)
        #expect(try endpoint.urlRequest(for: Sample(path: "x")).url?.absoluteString == expected)
    }

    @Test("has the settings of its initializer")
    func settings() throws {
        let (decoder, queue) = (JSONDecoder(), DispatchQueue(label: "test"))
        let endpoint = try Endpoint(
            "http://host",
            decoder: decoder,
            responseQueue: queue,
            retryingCount: 7,
            headers: ["X-A": "1"]
        )
        #expect(endpoint.decoder === decoder && endpoint.responseQueue === queue)
        #expect(endpoint.retryingCount == 7 && endpoint.headers["X-A"] == "1")
    }

    @Test(
        "rejects an invalid string with its reason, and without secrets",
        arguments: [
            ("", "invalid URL: the text is empty"),
            (
                "api.example.com",
                #"invalid URL "api.example.com": write https://api.example.com"#
            ),
            ("localhost:8080", #"invalid URL "localhost:8080": write https://localhost:8080"#),
            (
                "10.0.0.1/v1?key=secret",
                #"invalid URL "10.0.0.1/v1?key": write https://10.0.0.1/v1?key"#
            ),
            ("//host/x", noScheme), ("user:secret@host/x://", noScheme),
            ("host.test/secret@", noScheme), ("secret", noScheme), ("user:secret", noScheme),
            ("secret.1f2e", noScheme), ("host.test:secret", noScheme), ("host..test", noScheme),
            ("htp://x", #"invalid URL "htp://x": the scheme is htp; write https or http"#),
            (
                "ftp://user:secret@host?a=secret",
                #"invalid URL "ftp://host?a": the scheme is ftp; write https or http"#
            ),
            (
                "ftp://user:sec/secret@host",
                #"invalid URL "ftp://": the scheme is ftp; write https or http"#
            ),
            (
                "ws+unix://host",
                #"invalid URL "ws+unix://host": the scheme is ws+unix; write https or http"#
            ),
            (" https://host", "invalid URL: the text begins with a blank"),
            ("http://", #"invalid URL "http://": it has no host"#),
            ("http://ho st", badHost), ("https://user:sec#secret@host", badHost),
            ("https:///x", #"invalid URL "https:///x": it has no host"#),
            ("https://host:0", #"invalid URL "https://host:0": the port must be from 1 to 65535"#),
            (
                "https://host:65536/x",
                #"invalid URL "https://host:65536/x": the port must be from 1 to 65535"#
            ),
            (
                "https://host:0#secret@host",
                #"invalid URL "https://host:0": the port must be from 1 to 65535"#
            ),
            ("https://host:99999999999999999999", nil),
            ("https://host:80a", nil), ("https://host:-1", nil),
            ("https://a b", nil), ("https://host\\@evil", nil),
            ("https://u:secret@h%40x/?t=secret", nil),
        ] as [(String, String?)]
    )
    func refused(text: String, description: String?) throws {
        let error = try #require(throws: InvalidRequest.self) { try Endpoint(text) }
        guard case .invalidURL(let shown) = error.reason else {
            Issue.record("another reason: \(error)")
            return
        }
        if let description { #expect("\(error)" == description) }
        #expect(shown.isEmpty || "\(error)".contains(shown))
        #expect(!"\(error)".contains("secret"))
    }

    private static let noScheme = "invalid URL: the text has no scheme: begin it with https://"
    private static let badHost =
        "invalid URL: its host or port has characters that no URL has there"
}
