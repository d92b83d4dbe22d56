import Foundation
import NetKit
import Testing

@Suite("Requests to httpbin", .needs(.httpbin), .timeLimit(.minutes(10)))
struct HTTPBinRequestTests {
    @Test("sends its method", arguments: Engine.allCases)
    func methods(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        for method: HTTPMethod in [.get, .post, .put, .patch, .delete, .trace] {
            let echo = try await endpoint.value(for: EchoRequest(method))
            #expect(echo.method == method.rawValue)
        }
        // What httpbin does not know.
        let error = try await failure(of: EchoRequest(.custom("PURGE")), on: endpoint)
        #expect(error.statusCode == 405)
    }

    @Test("sends its query, whatever it contains", arguments: Engine.allCases)
    func query(engine: Engine) async throws {
        let query = [("a", "1"), ("b", "x y+z&=#%2F"), ("a", "2"), ("ü", "🦊"), ("empty", "")]
        let echo = try await engine.endpoint(.httpbin).value(for: EchoRequest(query: query))
        #expect(
            echo.args == ["a": ["1", "2"], "b": "x y+z&=#%2F", "ü": "🦊", "empty": ""]
        )
    }

    @Test("sends its header fields", arguments: Engine.allCases)
    func headers(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        endpoint.headers = ["X-Endpoint": "1", "X-Both": "endpoint"]
        endpoint.interceptors = [.userAgent("RealServers/1.0")]
        let request = EchoRequest(headers: ["X-Both": "request", "X-Text": "a, \"b\"; c=d"])
        let headers = try await endpoint.value(for: request).headers
        #expect(headers["X-Endpoint"] == "1")
        #expect(headers["X-Both"] == "request")
        #expect(headers["X-Text"] == "a, \"b\"; c=d")
        #expect(headers["User-Agent"] == "RealServers/1.0")
        #expect(headers["Accept"] == "application/json")
    }

    @Test("sends its JSON", arguments: Engine.allCases)
    func json(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let created = try await endpoint.value(
            for: CreatePersonRequest(Person(name: "Zoë", age: 7))
        )
        #expect(created.json == ["name": "Zoë", "age": 7])
        #expect(created.headers["Content-Type"] == "application/json")
        let value: JSONValue = ["a": [1, 2.5, nil, true, "🦊"], "b": ["c": []]]
        let echo = try await endpoint.value(for: EchoRequest(.put, body: .json(value)))
        #expect(echo.json == value)
    }

    @Test("sends its form", arguments: Engine.allCases)
    func form(engine: Engine) async throws {
        let fields = [("name", "Zoë & co."), ("tag", "a"), ("tag", "b+c"), ("text", "1\r\n2")]
        let echo = try await engine.endpoint(.httpbin)
            .value(for: EchoRequest(.post, body: .form(fields)))
        #expect(echo.form == ["name": "Zoë & co.", "tag": ["a", "b+c"], "text": "1\r\n2"])
    }

    @Test("sends its files", arguments: Engine.allCases)
    func multipart(engine: Engine) async throws {
        let folder = try TemporaryFolder()
        let report = folder.file("report.txt")
        try Data("from a file".utf8).write(to: report)
        let request = UploadRequest(files: [
            DefaultMultipartFile(
                resource: report,
                mime: .plainText,
                name: "report",
                fileName: "report.txt"
            ),
            DefaultMultipartFile(
                resource: Data([0, 255, 13, 10]),
                mime: .binary,
                name: "bytes",
                fileName: "ä \"b\".bin"
            ),
        ])
        let echo = try await engine.endpoint(.httpbin).value(for: request)
        #expect(echo.form == ["title": "Grüße, \"Welt\""])
        #expect(
            echo.files == [
                "report": "from a file", "bytes": "data:application/octet-stream;base64,AP8NCg==",
            ]
        )
    }

    @Test("sends a body of any size and kind", arguments: Engine.allCases)
    func bodies(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let noise = Data.noise(300_000)
        let raw = try await endpoint.value(for: EchoRequest(.post, body: .raw(noise)))
        #expect(raw.data == "data:application/octet-stream;base64," + noise.base64EncodedString())
        let text = try await endpoint.value(for: EchoRequest(.patch, body: .string("Grüße")))
        #expect(text.data == "Grüße")
        let pieces = AsyncStream { continuation in
            for number in 0..<100 { continuation.yield(Data("\(number),".utf8)) }
            continuation.finish()
        }
        let stream = EchoRequest(.put, body: .stream(pieces, mime: .plainText))
        let echo = try await endpoint.value(for: stream)
        #expect(echo.data == (0..<100).map { "\($0)," }.joined())
    }
}
