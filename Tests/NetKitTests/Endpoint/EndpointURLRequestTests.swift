import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Request preview")
struct EndpointURLRequestTests {
    private struct Login: Request {
        typealias ResponseObjectType = [Int]
        let path = "login/{provider}"
        let method: HTTPMethod = .post
        let body: RequestBody? = .params(["token": "t", "id": Int64.max])
        let queryParams = [("b", "2"), ("a", "1 + 1"), ("a", "3")]
        var headers: HTTPHeaders = ["x-client": "request"]
        @Path("provider") var provider = "face/book"
        @Query("page") var page: Int? = 2
        @Header("X-Trace") var trace: String? = "é"
    }

    private struct Opaque: Sendable {}

    private func endpoint(
        _ base: String = "http://127.0.0.1:9/api?k=v",
        headers: HTTPHeaders = ["X-Client": "endpoint"],
        additional: [String: String] = [:]
    ) throws -> Endpoint {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = additional
        return Endpoint(
            baseURL: try #require(URL(string: base)),
            sessionConfiguration: configuration,
            headers: headers
        )
    }

    @Test("returns the whole request, the same each time")
    func whole() throws {
        let endpoint = try endpoint()
        for _ in 0..<3 {
            let request = try endpoint.urlRequest(for: Login())
            #expect(
                request.url?.absoluteString
                    == "http://127.0.0.1:9/api/login/face%2Fbook?k=v&b=2&a=1%20%2B%201&a=3&page=2"
            )
            #expect(request.httpMethod == "POST")
            #expect(request.httpBody == Data(#"{"id":9223372036854775807,"token":"t"}"#.utf8))
            #expect(
                request.allHTTPHeaderFields == [
                    "Accept": "application/json", "Content-Type": "application/json",
                    "x-client": "request", "X-Trace": "é", "User-Agent": UserAgent.standard,
                ]
            )
        }
    }

    @Test("includes the endpoint's current header fields")
    func currentHeaders() throws {
        let endpoint = try endpoint(additional: ["X-Session": "s", "X-Client": "session"])
        let sample = Sample(path: "x")
        var request = try endpoint.urlRequest(for: sample)
        #expect(request.value(forHTTPHeaderField: "x-client") == "endpoint")
        #expect(request.value(forHTTPHeaderField: "X-Session") == "s")
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        endpoint.headers.authToken = .basic(username: "u", password: "p:q")
        request = try endpoint.urlRequest(for: sample)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic dTpwOnE=")
        endpoint.headers.authToken = .custom(key: "X-Key", token: "k")
        request = try endpoint.urlRequest(for: sample)
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(request.value(forHTTPHeaderField: "X-Key") == "k")
        endpoint.headers = [:]
        request = try endpoint.urlRequest(for: sample)
        #expect(request.value(forHTTPHeaderField: "x-client") == "session")
        #expect(request.value(forHTTPHeaderField: "X-Key") == nil)
    }

    @Test("throws a typed error for an invalid request")
    func refusals() throws {
        let rows: [(String, Sample, InvalidRequest.Reason)] = [
            ("ftp://127.0.0.1", Sample(path: "x"), .invalidURL("ftp://127.0.0.1")),
            (
                "http://127.0.0.1", Sample(path: "x", method: .custom("A B")),
                .invalidMethod("A B")
            ),
            ("http://127.0.0.1", Sample(path: "{id}"), .missingPathParameter("id")),
            (
                "http://127.0.0.1", Sample(path: "x", headers: ["Content-Length": "1"]),
                .invalidHeader(name: "Content-Length")
            ),
            (
                "http://127.0.0.1",
                Sample(path: "x", method: .post, body: .params(["d": Opaque()])),
                .unencodableBody("d")
            ),
        ]
        for (base, request, reason) in rows {
            let endpoint = try endpoint(base)
            let error = #expect(throws: InvalidRequest.self) {
                try endpoint.urlRequest(for: request)
            }
            #expect(error?.reason == reason)
            #expect(throws: InvalidRequest.self) { try endpoint.cURL(for: request) }
        }
    }

    @Test("omits a body that is read while it is sent")
    func streamed() throws {
        let folder = try SampleFolder()
        let file = try folder.file("a.txt", "bytes")
        let request = Sample(path: "x", method: .put, body: .file(file))
        let sent = try endpoint().urlRequest(for: request)
        #expect(sent.httpBody == nil && sent.httpBodyStream == nil)
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "text/plain")
    }

    @Test("writes a curl command without secrets, unless requested")
    func command() throws {
        let endpoint = try endpoint("http://u:SECRET@127.0.0.1:9/api?token=SECRET")
        let request = Sample(path: "x", headers: ["X-Api-Key": "SECRET"])
        let hidden = try endpoint.cURL(for: request)
        #expect(!hidden.contains("SECRET"))
        #expect(hidden.contains("--url 'http://127.0.0.1:9/api/x?token=redacted'"))
        let shown = try endpoint.cURL(for: request, redacting: .none)
        #expect(shown.contains("--header 'X-Api-Key: SECRET'"))
        #expect(shown.contains("--url 'http://127.0.0.1:9/api/x?token=SECRET'"))
        let client = try endpoint.cURL(for: request, redacting: Redaction(headers: ["x-client"]))
        #expect(client.contains("--header 'X-Client: ‹redacted›'"))
        #expect(!client.contains("SECRET"))
    }
}
