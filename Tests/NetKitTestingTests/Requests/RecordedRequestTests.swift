import Foundation
import NetKit
import Testing

@testable import NetKitTesting

@Suite("Recorded request")
struct RecordedRequestTests {
    private func request(
        _ target: String = "/",
        headers: [(String, String)] = [],
        body: Data = Data()
    ) -> RecordedRequest {
        RecordedRequest(
            head: RequestHead(
                method: "POST",
                target: target,
                minorVersion: 1,
                fields: headers.map { HeaderField(name: $0.0, value: $0.1) }
            ),
            body: body,
            bodyLength: body.count,
            trailers: [],
            origin: .init(connectionID: 1, index: 0, headReceivedAt: .now),
            receivedAt: .now
        )
    }

    @Test(
        "splits the target without changing its spelling",
        arguments: [
            ("/", "/", [], []),
            ("/a%2Fb/c//d?x", "/a%2Fb/c//d", ["a/b", "c", "d"], ["x="]),
            ("/p?a=1&b=2&a=3", "/p", ["p"], ["a=1", "b=2", "a=3"]),
            ("/p?q=a+b%2Bc%26d%3D%zz%C3%A9%F0%9F%8E%89", "/p", ["p"], ["q=a b+c&d=%zzé🎉"]),
            ("/p?a=b=c&&=&d", "/p", ["p"], ["a=b=c", "=", "d="]),
            ("/p?", "/p", ["p"], []),
            ("http://h:1/x/y?z=1", "/x/y", ["x", "y"], ["z=1"]),
            ("*", "*", ["*"], []),
        ]
    )
    func target(sent: String, path: String, segments: [String], query: [String]) {
        let request = request(sent)
        #expect(request.target == sent)
        #expect(request.path == path)
        #expect(request.pathSegments == segments)
        #expect(request.query.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test("finds header fields in any letter case, and keeps their order")
    func headers() {
        let request = request(headers: [("X-A", "1"), ("x-b", "2"), ("x-a", "3")])
        #expect(request.header("x-A") == "1")
        #expect(request.headers(named: "X-a") == ["1", "3"])
        #expect(request.header("X-C") == nil)
        #expect(request.header("X-") == nil)
        #expect(request.headers.map(\.name.rawName) == ["X-A", "x-b", "x-a"])
    }

    @Test("decodes JSON and form bodies")
    func bodies() throws {
        struct Point: Decodable, Equatable { var x: Int }
        let point: Point = try request(body: Data(#"{"x":9223372036854775807}"#.utf8)).json()
        #expect(point == Point(x: .max))
        let form = request(body: Data("a=1%202&b=+&a=".utf8)).form
        #expect(form.map(\.name) == ["a", "b", "a"])
        #expect(form.map(\.value) == ["1 2", " ", ""])
    }

    @Test("splits a multipart body into parts, byte for byte")
    func multipart() {
        let file = Data([0, 13, 10, 45, 45, 98, 13, 10, 255])
        var body = Data("--b-1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n1\r\n".utf8)
        body += Data("--b-1\r\ncontent-disposition: form-data; filename=\"x\\; y%22.png\"; ".utf8)
        body += Data("name=f\r\nContent-Type: image/png\r\n\r\n".utf8) + file
        body += Data("\r\n--b-1\r\n\r\n\r\n--b-1--\r\n".utf8)
        let type = "multipart/form-data; charset=utf-8; boundary=\"b-1\""
        let parts = request(headers: [("content-type", type)], body: body).multipart
        #expect(parts.map(\.name) == ["a", "f", nil])
        #expect(parts.map(\.fileName) == [nil, "x\\; y%22.png", nil])
        #expect(parts.map(\.contentType) == [nil, "image/png", nil])
        #expect(parts.map(\.body) == [Data("\r\n1".utf8), file, Data()])
    }

    @Test(
        "finds no parts in a body without the announced boundary",
        arguments: [
            "", "--b\r\n", "--b\r\n\r\nx\r\n", "--b\r\n\r\nx\r\n--b", "--bX: y\r\n\r\n\r\n--b--",
        ]
    )
    func brokenMultipart(body: String) {
        let type = "multipart/form-data; boundary=b"
        let request = request(headers: [("Content-Type", type)], body: Data(body.utf8))
        #expect(request.multipart.isEmpty)
    }
}
