import Foundation
import HTTPTypes
import NetKit
import NetKitHTTPTypes
import Testing

@Suite("Conversion to and from HTTPTypes")
struct ConversionTests {
    @Test("converts fields both ways, with their order and spelling", arguments: UInt64(0)..<500)
    func fields(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let fields = random.fields()
        let pairs = fields.map { "\($0.name): \($0.value)" }
        let headers = HTTPHeaders(fields: fields)
        #expect(headers.pairs == pairs)
        let converted = try HTTPFields(headers)
        #expect(converted.pairs == pairs)
        #expect(HTTPHeaders(converted).pairs == pairs)
        #expect(try HTTPFields(HTTPHeaders(converted)) == converted)
    }

    @Test("keeps the sensitivity of fields")
    func sensitive() throws {
        var headers = HTTPHeaders()
        headers.append("1", for: "X-A")
        headers.set("X-Key", to: "2", isSensitive: true)
        headers.append("3", for: "x-key")
        headers.append("4", for: "Authorization")
        let fields = try HTTPFields(headers)
        #expect(fields.map { $0.indexingStrategy == .disallow } == [false, true, true, true])
        let back = HTTPHeaders(fields)
        #expect(back.pairs == headers.pairs)
        for name in ["X-A", "X-Key", "Authorization"] as [HTTPHeaderName] {
            #expect(back.isSensitive(name) == headers.isSensitive(name))
        }
    }

    @Test(
        "rejects a field that HTTPTypes would change",
        arguments: [
            ("a b", "c"), ("", "c"), (":path", "c"), ("a", "b\r\nc: d"), ("a", "b\0"), ("a", " b"),
            ("a", "b\t"), ("é", "c"),
        ]
    )
    func invalidFields(name: String, value: String) {
        var headers: HTTPHeaders = ["X-A": "fine"]
        headers.append(value, for: HTTPHeaderName(name))
        #expect(throws: HTTPConversionFailure.headerField(name: name)) { try HTTPFields(headers) }
    }

    @Test(
        "converts methods, including custom ones",
        arguments: [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
            "purge", "M-SEARCH",
        ]
    )
    func methods(token: String) throws {
        let method = HTTPMethod(rawValue: token)
        let converted = try #require(HTTPRequest.Method(method))
        #expect(converted.rawValue == token)
        #expect(HTTPMethod(converted) == method)
        #expect(HTTPRequest.Method(HTTPMethod(rawValue: "\(token) /")) == nil)
    }

    @Test("converts every status code that both support")
    func statuses() {
        for code in 0...999 {
            let status = HTTPStatus(rawValue: code)
            let converted = HTTPTypes.HTTPResponse.Status(status)
            #expect(converted?.code == code)
            #expect(converted?.reasonPhrase == status.reasonPhrase ?? "")
            #expect(converted.map { HTTPStatus($0) } == status)
        }
        for code in [-1, 1_000, .max, .min] {
            #expect(HTTPTypes.HTTPResponse.Status(HTTPStatus(rawValue: code)) == nil)
        }
    }

    @Test("converts a request in both directions", arguments: UInt64(0)..<500)
    func requests(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let authority = random.pick(["a.test", "a.test:8080", "127.0.0.1:9", "[::1]:80", "A.test"])
        let request = HTTPRequest(
            method: try #require(HTTPRequest.Method(random.pick(["GET", "POST", "purge"]))),
            scheme: random.pick(["http", "https"]),
            authority: authority,
            path: random.path(),
            headerFields: try HTTPFields(HTTPHeaders(fields: random.fields()))
        )
        let body = BodySource(Data("body".utf8))
        let encoded = try EncodedRequest(request, body: body)
        #expect(encoded.body?.data == Data("body".utf8))
        let converted = try HTTPRequest(encoded)
        #expect(converted == request)
        #expect(converted.headerFields.pairs == request.headerFields.pairs)
    }

    @Test(
        "removes fields that are never sent",
        arguments: [
            ("http://u:p@a.test/x?y#z", "http", "a.test", "/x?y"),
            ("https://a.test", "https", "a.test", "/"),
            ("https://a.test?q", "https", "a.test", "/?q"),
            ("http://[::1]:8080/%20", "http", "[::1]:8080", "/%20"),
        ]
    )
    func urls(url: String, scheme: String, authority: String, path: String) throws {
        let url = try #require(URL(string: url))
        let request = try HTTPRequest(EncodedRequest(url: url, method: .get))
        #expect(request.scheme == scheme && request.authority == authority)
        #expect(request.path == path)
    }

    @Test(
        "rejects a request without a complete http or https URL",
        arguments: [
            (nil, "a.test", "/"), ("http", nil, "/"), ("http", "", "/"), ("ftp", "a.test", "/"),
            ("http", "u@a.test", "/"), ("http", "a.test/x", "/"), ("http", "a.test", "x"),
            ("http", "a.test", "/x#y"), ("http", "a.test", "/a b"), ("http", "a.test", "/é"),
            ("http", "a.test", "*"),
        ] as [(String?, String?, String)]
    )
    func invalidRequests(scheme: String?, authority: String?, path: String) {
        let request = HTTPRequest(
            method: .get,
            scheme: scheme,
            authority: authority,
            path: path
        )
        #expect(throws: HTTPConversionFailure.url) { try EncodedRequest(request) }
    }

    @Test("converts a response head in both directions", arguments: UInt64(0)..<100)
    func responses(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let head = ResponseHead(
            status: HTTPStatus(rawValue: Int.random(in: 100...599, using: &random)),
            headers: HTTPHeaders(fields: random.fields())
        )
        let converted = try HTTPTypes.HTTPResponse(head)
        let back = ResponseHead(converted)
        #expect(back.status == head.status && back.headers.pairs == head.headers.pairs)
        let url = try #require(URL(string: "http://a.test"))
        let response = NetKit.HTTPResponse(
            request: EncodedRequest(url: url, method: .get).urlRequest,
            url: url,
            status: head.status,
            headers: head.headers
        )
        #expect(try HTTPTypes.HTTPResponse(response) == converted)
        #expect(throws: HTTPConversionFailure.status(1_000)) {
            try HTTPTypes.HTTPResponse(ResponseHead(status: 1_000))
        }
    }
}
