import Foundation
import NetKit
import NetKitTesting
import Testing

/// One check for the requests of a server and those of a stub.
@Suite("Received request")
struct ReceivedRequestTests {
    private struct Order: Codable, Equatable, Sendable { var quantity = 2 }

    private struct Post: Request {
        typealias ResponseObjectType = Void
        let path = "a b/{id}"
        let method = HTTPMethod.post
        let queryParams = [("q", "x y"), ("q", "z")]
        let body: RequestBody?
        @Path("id") var id = "c/d"

        var headers: HTTPHeaders {
            var headers: HTTPHeaders = ["X-One": "1"]
            headers.append("2", for: "X-one")
            return headers
        }
    }

    private func received(
        _ requests: any Request...
    ) async throws -> [(server: any ReceivedRequest, stub: any ReceivedRequest)] {
        let server = try MockServer()
        let stub = StubTransport()
        server.route(nil, "/*") { _ in .status(204) }
        stub.on(nil, "/*") { _ in .status(204) }
        for request in requests {
            _ = try await Endpoint(baseURL: server.baseURL).response(for: AnyRequest(request))
            _ = try await Endpoint("http://host", transport: stub)
                .response(for: AnyRequest(request))
        }
        try #require(
            server.requests.count == requests.count && stub.requests.count == requests.count
        )
        return zip(server.requests, stub.requests).map { ($0, $1) }
    }

    private func check(_ request: some ReceivedRequest) throws {
        #expect(request.method == .post && request.method == "POST")
        #expect(request.target == "/a%20b/c%2Fd?q=x%20y&q=z")
        #expect(request.path == "/a%20b/c%2Fd")
        #expect(request.pathSegments == ["a b", "c/d"])
        #expect(request.query.map(\.name) == ["q", "q"])
        #expect(request.query.map(\.value) == ["x y", "z"])
        #expect(request.queryValue("q") == "x y" && request.queryValue("r") == nil)
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("X-Two") == nil)
        #expect(request.headers(named: "x-one").joined(separator: ", ") == "1, 2")
        #expect(request.text == #"{"quantity":2}"# && request.body.count == 14)
        #expect(request.bodyLength == 14)
        #expect(try request.json(as: Order.self) == Order())
        #expect(request.multipart.isEmpty)
        #expect(request.description.contains("POST") && request.description.contains("14 bytes"))
    }

    @Test("has the same members, whichever server received it")
    func members() async throws {
        let requests = try await received(Post(body: .encodable(Order())))
        for (server, stub) in requests {
            try check(server)
            try check(stub)
        }
        #expect(requests.count == 1)
    }

    @Test("refuses JSON that would end the process in JSONDecoder")
    func deepJSON() async throws {
        let body = RequestBody.string(String(repeating: "[", count: 513))
        for request in try await received(Post(body: body)) {
            #expect(throws: DecodingError.self) { try request.server.json(as: JSONValue.self) }
            #expect(throws: DecodingError.self) { try request.stub.json(as: JSONValue.self) }
        }
    }

    @Test("parses form fields and multipart parts, whichever server received them")
    func forms() async throws {
        for (server, stub) in try await received(Post(body: .form([("a", "1 +"), ("b", "")]))) {
            for request: any ReceivedRequest in [server, stub] {
                #expect(request.form.map(\.name) == ["a", "b"])
                #expect(request.form.map(\.value) == ["1 +", ""])
            }
        }
        let upload = DefaultMultipartFormDataRequest<Void, ServerMessage>(
            path: "x",
            body: .params(["title": "Me"])
        )
        for (server, stub) in try await received(upload) {
            for request: any ReceivedRequest in [server, stub] {
                #expect(request.multipart.map(\.name) == ["title"])
                #expect(request.multipart.map(\.text) == ["Me"])
            }
        }
    }
}
