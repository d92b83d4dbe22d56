import Foundation
import Testing

@testable import NetKit

@Suite("Encoded body")
struct EncodedBodyTests {
    /// What each kind of body is called: by itself, under the endpoint's and under the request's type.
    struct Row: Sendable, CustomTestStringConvertible {
        let body: RequestBody
        let own: String
        var json = "application/json"
        var vendor = "application/vnd.api+json"
        var text = "text/x"
        var testDescription: String { "\(body)" }
    }

    static let rows: [Row] = [
        Row(body: .raw(Data([1])), own: "application/octet-stream"),
        Row(body: .string("t"), own: "text/plain; charset=utf-8"),
        Row(body: .params([:]), own: "application/json", text: "application/json"),
        Row(body: .json(nil), own: "application/json", text: "application/json"),
        Row(body: .encodable([1]), own: "application/json", text: "application/json"),
        Row(
            body: .form([]),
            own: "application/x-www-form-urlencoded",
            json: "application/x-www-form-urlencoded",
            vendor: "application/x-www-form-urlencoded",
            text: "application/x-www-form-urlencoded"
        ),
    ]

    private func type(
        _ body: RequestBody,
        _ own: String? = nil,
        endpoint: String? = nil
    ) throws
        -> String?
    {
        var request = Sample(path: "x", method: .post, body: body)
        request.headers[.contentType] = own
        var sample = SampleEndpoint()
        sample.headers["content-type"] = endpoint
        return try sample.encode(request).headers[.contentType]
    }

    @Test("derives its Content-Type, unless a compatible header field sets it", arguments: rows)
    func precedence(row: Row) throws {
        #expect(try type(row.body) == row.own)
        #expect(try type(row.body, endpoint: "application/json") == row.json)
        #expect(try type(row.body, endpoint: "application/vnd.api+json") == row.vendor)
        #expect(try type(row.body, endpoint: "text/x") == row.text)
        #expect(try type(row.body, "text/own", endpoint: "text/x") == "text/own")
    }

    @Test("has one Content-Type field in the request's spelling")
    func spelling() throws {
        let request = Sample(
            path: "x",
            method: .post,
            body: .string("t"),
            headers: ["content-TYPE": "a/b"]
        )
        let headers = try SampleEndpoint(headers: ["Content-type": "c/d"]).encode(request).headers
        #expect(headers.filter { $0.name == .contentType }.map(\.value) == ["a/b"])
        #expect(headers.map(\.name.rawName).contains("content-TYPE"))
    }

    @Test(
        "keeps the boundary of a multipart body, whatever the header says",
        arguments: [
            (nil, "form-data"), ("multipart/form-data", "form-data"),
            ("application/json", "form-data"),
            ("multipart/related; boundary=theirs", "related"), ("multipart/", "form-data"),
        ]
    )
    func multipart(header: String?, subtype: String) throws {
        var request = DefaultMultipartFormDataRequest<Data, ServerMessage>(path: "x")
        request.headers[.contentType] = header
        let encoded = try SampleEndpoint().encode(request)
        let type = try #require(encoded.headers.contentType)
        #expect(type.type == "multipart" && type.subtype == subtype)
        let boundary = try #require(type.parameters["boundary"])
        #expect(try encoded.bodyText() == "--\(boundary)--\r\n")
    }
}
