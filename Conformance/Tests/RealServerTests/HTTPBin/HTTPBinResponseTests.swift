import Foundation
import NetKit
import NetKitCookies
import Testing

@Suite("Responses of httpbin", .needs(.httpbin), .timeLimit(.minutes(10)))
struct HTTPBinResponseTests {
    @Test("is a value or an error by its status", arguments: Engine.allCases)
    func statuses(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        for code in [200, 201, 202, 204, 206] {
            let response = try await endpoint.response(for: StatusRequest(code))
            #expect(response.http.statusCode == code)
        }
        for code in [300, 304, 400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 503] {
            let error = try await failure(of: StatusRequest(code), on: endpoint)
            #expect(error.statusCode == code)
        }
    }

    @Test("is requested again only if the method is idempotent", arguments: Engine.allCases)
    func retries(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let policy = RetryPolicy(maximumRetries: 2, backoff: .none)
        for (method, attempts) in [(HTTPMethod.get, 3), (.post, 1)] {
            let request = StatusRequest(503, method: method, retryPolicy: policy)
            let operation = request.execute(on: endpoint)
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await operation.value }
            #expect(operation.history.count == attempts)
        }
    }

    @Test("comes from the redirect's target", arguments: Engine.allCases)
    func redirects(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        for path in ["redirect/3", "relative-redirect/2", "absolute-redirect/4"] {
            let response = try await endpoint.response(for: EchoRequest(path: path))
            #expect(response.http.url.path == "/get")
            #expect(response.attempts == 1)
        }
        for (status, method, body) in [
            ("302", "GET", JSONValue?.some(nil)), ("303", "GET", .some(nil)),
            ("307", "POST", .some(["a": 1])), ("308", "POST", .some(["a": 1])),
        ] {
            let query = [("url", "/anything"), ("status_code", status)]
            let request = EchoRequest(
                .post,
                path: "redirect-to",
                query: query,
                body: .json(["a": 1])
            )
            let echo = try await endpoint.value(for: request)
            #expect(echo.method == method)
            #expect((echo.json ?? .null) == body)
        }
        endpoint.redirectPolicy = .follow(maximum: 2)
        let error = try await failure(of: EchoRequest(path: "redirect/3"), on: endpoint)
        #expect(error.transportKind == .tooManyRedirects)
    }

    @Test("stores its cookies in a jar", arguments: Engine.allCases)
    func cookies(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        #expect(try await endpoint.value(for: CookiesRequest("cookies/set", [("a", "1")])) == [:])
        endpoint.cookies = CookieJar()
        let set = CookiesRequest("cookies/set", [("a", "1"), ("b", "x y")])
        #expect(try await endpoint.value(for: set) == ["a": "1", "b": "x y"])
        let delete = CookiesRequest("cookies/delete", [("a", "")])
        #expect(try await endpoint.value(for: delete) == ["b": "x y"])
        #expect(try await endpoint.value(for: CookiesRequest()) == ["b": "x y"])
    }

    @Test("is decompressed if the engine supports the encoding", arguments: Engine.allCases)
    func compression(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let gzip = try await endpoint.value(for: CompressedRequest("gzip"))
        #expect(gzip["gzipped"] == true)
        let deflate = CompressedRequest("deflate", accepting: "deflate")
        #expect(try await endpoint.value(for: deflate)["deflated"] == true)
        switch engine {
        case .urlSession, .curl:
            let brotli = try await endpoint.value(for: CompressedRequest("brotli"))
            #expect(brotli["brotli"] == true)
        case .asyncHTTPClient:
            // httpbin compresses without having been asked.
            let error = try await failure(of: CompressedRequest("brotli"), on: endpoint)
            guard case .decoding(let response, _) = error else { throw error }
            #expect(response.headers[.contentEncoding] == "br")
        }
    }

    @Test("decodes to any type", arguments: Engine.allCases)
    func types(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let text = try await endpoint.value(for: TextRequest("encoding/utf8"))
        #expect(text.contains("∮ E⋅da = Q,  n → ∞, ∑ f(i) = ∏ g(i)"))
        #expect(text.contains("ሰማይ አይታረስ ንጉሥ አይከሰስ።"))
        let html = try await endpoint.value(for: TextRequest("html"))
        #expect(html.contains("<h1>Herman Melville - Moby-Dick</h1>"))
        let png = try await endpoint.response(for: BytesRequest("image/png"))
        #expect(png.http.headers.contentType == .image(.png))
        #expect(png.value.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let fields = try await endpoint.response(for: TextRequest("response-headers?x=1&x=2"))
        #expect(fields.http.headers["X"] == "1, 2")
    }

    @Test("has the requested length", arguments: Engine.allCases)
    func bytes(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        for path in ["bytes/65536", "stream-bytes/65536?chunk_size=1000"] {
            #expect(try await endpoint.value(for: BytesRequest(path)).count == 65_536)
        }
        let drip = BytesRequest("drip?numbytes=10&duration=1&delay=0")
        #expect(try await endpoint.value(for: drip) == Data("**********".utf8))
        let failed = BytesRequest("drip?numbytes=3&duration=0&code=500")
        endpoint.retryPolicy = .never
        #expect(try await failure(of: failed, on: endpoint).response?.text == "***")
        endpoint.maximumResponseSize = 10_000
        let error = try await failure(of: BytesRequest("bytes/65536"), on: endpoint)
        #expect(error.transportKind == .responseTooLarge)
    }

    @Test("streams lines", arguments: Engine.allCases)
    func lines(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        var ids: [Int] = []
        let stream = try await endpoint.stream(StreamRequest(count: 50))
        for try await line in stream.jsonLines(of: Line.self) { ids.append(line.id) }
        #expect(ids == Array(0..<50))
    }

    @Test("fails with a timeout if it takes too long", arguments: Engine.allCases)
    func delays(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.httpbin)
        let echo = try await endpoint.value(for: DelayRequest(seconds: 1))
        #expect(echo.url.hasSuffix("/delay/1"))
        let error = try await failure(of: DelayRequest(seconds: 10, timeout: 0.2), on: endpoint)
        #expect(error.isTimeout)
        #expect(error.isTransient)
    }
}
