import Foundation
import Testing

@testable import NetKit

@Suite("Request encoder")
struct RequestEncoderTests {
    private struct Plain: Request {
        typealias ResponseObjectType = Int
        let path = "x"
    }

    private struct Wrapper<Base: Request>: ForwardingRequest {
        typealias ResponseObjectType = Data
        typealias ErrorType = Base.ErrorType
        let base: Base
        var wrappedRequest: any Request { base }
    }

    private struct Todo: Request {
        typealias ResponseObjectType = Int
        let path = "todos/{id}"
        @Path("id") var id = 7
        @Query("q") var text = "a"
    }

    private let endpoint = SampleEndpoint()

    @Test("sends a plain request as a GET with the Accept field of its response type")
    func plain() throws {
        let encoded = try endpoint.encode(Plain())
        #expect(encoded.method == .get)
        #expect(encoded.url.absoluteString == "http://host.test/api/x")
        #expect(
            encoded.headers == ["Accept": "application/json", "User-Agent": UserAgent.standard]
        )
        #expect(encoded.body == nil)
    }

    @Test("reports an unusable base URL with each request")
    func badBase() throws {
        let reason = try SampleEndpoint(base: "ftp://host.test").refusal(Plain())
        #expect(reason == .invalidURL("ftp://host.test"))
    }

    @Test(
        "rejects a body with a method that has none",
        arguments: [HTTPMethod.get, .head, .trace, .connect, .custom("get")]
    )
    func bodilessMethods(method: HTTPMethod) throws {
        let request = Sample(path: "x", method: method, body: .string(""))
        #expect(try endpoint.refusal(request) == .invalidMethod("\(method) with a body"))
        #expect(try endpoint.refusal(Sample(path: "x", method: method)) == nil)
    }

    @Test(
        "sends a body with any other method",
        arguments: [HTTPMethod.post, .put, .patch, .delete, .options, .query, .custom("REPORT")]
    )
    func bodies(method: HTTPMethod) throws {
        let encoded = try endpoint.encode(Sample(path: "x", method: method, body: .string("t")))
        #expect(encoded.method == method)
        #expect(try encoded.bodyText() == "t")
    }

    @Test(
        "takes a method for the one that is sent",
        arguments: [
            ("get", .get), ("Post", .post), ("DELETE", .delete), ("purge", "purge"),
            ("Report", "Report"),
        ] as [(String, HTTPMethod)]
    )
    func sentMethods(token: String, method: HTTPMethod) throws {
        struct Described: Request {
            typealias ResponseObjectType = Data
            let path = "x"
            let method: String
        }
        #expect(try endpoint.encode(Sample(path: "x", method: .custom(token))).method == method)
        #expect(try endpoint.encode(Described(method: token)).method == method)
    }

    @Test(
        "rejects a method that isn't a token",
        arguments: [
            "", " ", "GE T", "GET\r\nX: y", "GET\u{0}", "GÉT", "GET /evil HTTP/1.1\r\n", "a(b",
        ]
    )
    func methods(name: String) throws {
        let request = Sample(path: "x", method: .custom(name))
        #expect(try endpoint.refusal(request) == .invalidMethod(name))
    }

    @Test("finds parameters through any number of wrappers")
    func wrappings() throws {
        let url = try endpoint.url(Wrapper(base: Wrapper(base: Todo())))
        #expect(url == "http://host.test/api/todos/7?q=a")
        let download = Todo().download(to: URL(fileURLWithPath: "/tmp/x"))
        #expect(try endpoint.url(download) == "http://host.test/api/todos/7?q=a")
    }

    @Test("finds a multipart request's files through a wrapper")
    func wrappedFiles() throws {
        let file = DefaultMultipartFile(
            resource: Data("bytes".utf8),
            mime: "text/plain",
            fileName: "f.txt"
        )
        let upload = DefaultMultipartFormDataRequest<Data, ServerMessage>(
            path: "x",
            body: .params(["k": 1]),
            files: [file]
        )
        let body = try endpoint.encode(Wrapper(base: upload)).bodyText()
        #expect(body.contains("bytes") && body.contains("name=\"k\"\r\n\r\n1\r\n"))
    }

    @Test("encodes a request the same each time")
    func repeatable() throws {
        let request = Sample(
            path: "x",
            method: .post,
            queryParams: [("b", "2"), ("a", "1"), ("a", "3")],
            body: .params(["z": 1, "a": ["y": 2, "b": 3], "m": true])
        )
        let first = try endpoint.encode(request)
        #expect(first.url.absoluteString == "http://host.test/api/x?b=2&a=1&a=3")
        #expect(try first.bodyText() == #"{"a":{"b":3,"y":2},"m":true,"z":1}"#)
        for _ in 0..<5 { #expect(try endpoint.encode(request).bodyText() == first.bodyText()) }
    }

    @Test("encodes the same from many tasks at once")
    func concurrently() async throws {
        await withTaskGroup(of: String?.self) { group in
            for id in 0..<50 {
                group.addTask { [endpoint] in
                    var request = Todo()
                    request.id = id
                    return try? endpoint.url(request)
                }
            }
            var urls: Set<String?> = []
            for await url in group { urls.insert(url) }
            #expect(urls == Set((0..<50).map { "http://host.test/api/todos/\($0)?q=a" }))
        }
    }
}
