import Foundation
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Encoded request")
struct EncodedRequestTests {
    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }

    @Test("converts to a complete URLRequest, with a body held in memory")
    func urlRequest() throws {
        let encoded = EncodedRequest(
            url: try url("http://h.test/a%2Fb?q=%2B"),
            method: .custom("REPORT"),
            headers: ["X-A": "1", "Accept": "text/x"],
            body: BodySource(Data("body".utf8))
        )
        let request = encoded.urlRequest
        #expect(request.url?.absoluteString == "http://h.test/a%2Fb?q=%2B")
        #expect(request.httpMethod == "REPORT")
        #expect(request.allHTTPHeaderFields == ["X-A": "1", "Accept": "text/x"])
        #expect(request.httpBody == Data("body".utf8))
    }

    @Test("sets no body in the URLRequest for a stream")
    func stream() throws {
        let source = BodySource(length: 4) { DataReader(Data("body".utf8)) }
        let request = EncodedRequest(url: try url("http://h.test"), method: .post, body: source)
        #expect(request.urlRequest.httpBody == nil)
        #expect(request.urlRequest.httpBodyStream == nil)
        #expect(request.urlRequest.httpMethod == "POST")
    }

    @Test("is described without possible secrets")
    func description() throws {
        let encoded = EncodedRequest(
            url: try url("http://u:secret@h.test/p?token=secret"),
            method: .post,
            headers: ["Authorization": "Bearer secret", "X-Any": "secret"],
            body: BodySource(Data("secret".utf8))
        )
        for text in ["\(encoded)", String(reflecting: encoded)] {
            #expect(text == "POST http://h.test/p?token (6 bytes)")
        }
    }
}
