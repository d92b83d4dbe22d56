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
            ("", "an empty text"),
            ("api.example.com", "no scheme: it begins with https:// or http://"),
            ("localhost:8080", "no scheme: it begins with https:// or http://"),
            ("//host/x", "no scheme: it begins with https:// or http://"),
            ("user:secret@host/x://", "no scheme: it begins with https:// or http://"),
            ("ftp://user:secret@host", "the scheme is ftp, not https or http"),
            ("ws+unix://host", "the scheme is ws+unix, not https or http"),
            (" https://host", "no scheme: it begins with https:// or http://"),
            ("http://", "http://: it has no host"),
            ("http://ho st", "a host or port with characters that no URL has there"),
            ("https:///x", "https:///x: it has no host"),
            ("https://host:0", "https://host:0: the port is not a number from 1 to 65535"),
            (
                "https://host:65536/x",
                "https://host:65536/x: the port is not a number from 1 to 65535"
            ),
            ("https://host:99999999999999999999", nil),
            ("https://host:80a", nil), ("https://host:-1", nil),
            ("https://a b", nil), ("https://host\\@evil", nil),
            ("https://u:secret@h%40x/?t=secret", nil),
        ] as [(String, String?)]
    )
    func refused(text: String, reason: String?) throws {
        let error = #expect(throws: InvalidRequest.self) { try Endpoint(text) }
        guard case .invalidURL(let found) = error?.reason else {
            Issue.record("another reason: \(String(describing: error))")
            return
        }
        if let reason { #expect(found == reason) }
        #expect(!found.isEmpty && !found.contains("secret"))
    }
}
