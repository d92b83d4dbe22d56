import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Call logs", .timeLimit(.minutes(15)))
struct LoggingScenarios {
    private let server: MockServer
    private let endpoint: Endpoint
    private let login = LoginRequest(token: "SECRET")

    init() throws {
        server = try MockServer()
        server.route("POST", "/login/facebook") { _ in .json(text: #"{"id":7,"session":"SECRET"}"#)
        }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    /// A line without what differs from run to run: the call's number, the port and the time.
    private func stable(_ line: String) -> String {
        line.replacing(/\[\d+\]/, with: "[n]").replacing(/127\.0\.0\.1:\d+/, with: "host")
            .replacing(/in [\d.]+ (µs|ms|s)\b/, with: "in t")
            .replacing(/(?m), [\d.]+ (µs|ms|s)$/, with: ", t")
    }

    @Test("is empty by default")
    func silent() {
        #expect(endpoint.logger is SilentLogger)
        endpoint.logger = LineLogger()
        #expect(endpoint.logger is LineLogger)
        endpoint.logger = .silent
        #expect(endpoint.logger is SilentLogger)
    }

    @Test("has a line per call at info and above, and builds no messages below")
    func calls() async throws {
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        server.enqueue(.status(503))
        _ = await TextRequest(path: "none", method: .get).execute(on: endpoint).failure
        _ = try await endpoint.value(for: login)
        _ = await TextRequest(path: "x", method: .get, headers: ["a b": "c"]).execute(on: endpoint)
            .failure
        #expect(
            logger.lines.map(stable) == [
                "warning [n] DefaultRequest<String, ServerMessage> attempt 1: 503 Service Unavailable in t,"
                    + " retried at once",
                "error [n] DefaultRequest<String, ServerMessage> GET http://host/none: 404 Not Found"
                    + " in 2 attempts, t",
                "info [n] LoginRequest POST http://host/login/facebook (18 bytes): 200 OK, t",
                "error [n] DefaultRequest<String, ServerMessage>: header field \"a b\""
                    + ": the name is not a token (RFC 9110, section 5.1), t",
            ]
        )
    }

    @Test("names the request of a failed transfer once")
    func failures() async throws {
        let port = try RefusingPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)"))
        let endpoint = testEndpoint(baseURL: url, retryingCount: 0)
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        let request = TextRequest(path: "x", method: .post, body: .string("abc"))
        _ = await request.execute(on: endpoint).failure
        let line = try #require(logger.lines.map(stable).last)
        #expect(
            line.hasPrefix(
                "error [n] DefaultRequest<String, ServerMessage> POST http://host/x (3 bytes): "
            )
        )
        #expect(line.split(separator: "POST http").count == 2)
    }

    @Test("has a cancellation at info")
    func cancellations() async throws {
        server.route("GET", "/slow") { _ in .fault(.stall) }
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        let operation = TextRequest(path: "slow", method: .get).execute(on: endpoint)
        _ = try await server.waitForRequests(1)
        operation.cancel()
        _ = await operation.failure
        #expect(
            logger.lines.map(stable) == [
                "info [n] DefaultRequest<String, ServerMessage> GET http://host/slow: the call was canceled, t"
            ]
        )
    }

    private struct Outdated: LocalizedError {
        var errorDescription: String? { "the program is too old" }
    }

    @Test("has the outcome of a call, and not the status of a response before it")
    func outcomes() async throws {
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        server.enqueue(.status(503), .status(426), .status(503))
        let prefix = "[n] DefaultRequest<String, ServerMessage> GET http://host/x:"
        let request = TextRequest(path: "x", method: .get)
        endpoint.retryPolicy.backoff = .constant(.seconds(3_600))
        let delayed = request.execute(on: endpoint)
        await eventually { !delayed.history.isEmpty }
        delayed.cancel()
        _ = await delayed.failure
        #expect(logger.lines.last.map(stable) == "info \(prefix) the call was canceled, t")

        endpoint.retryPolicy = .never
        endpoint.interceptors = [
            ClosureInterceptor(scope: .call) { request, next in
                guard try await next(request).status == 503 else { throw Outdated() }
                return HTTPResponse(to: request, status: .ok, body: Data("own".utf8))
            }
        ]
        _ = await request.execute(on: endpoint).failure
        #expect(logger.lines.last.map(stable) == "error \(prefix) the program is too old, t")
        #expect(try await endpoint.value(for: request) == "own")
        #expect(logger.lines.last.map(stable) == "info \(prefix) 200 OK, t")
    }

    @Test("warns of an endpoint whose header fields hide its authentication, once it matters")
    func hiddenAuthentication() async throws {
        server.route(nil, "/refused") { _ in .status(401) }
        let logger = LineLogger(level: .warning)
        endpoint.logger = logger
        endpoint.authentication = BearerAuthentication(token: "new") { _ in "newer" }
        endpoint.headers.authToken = .bearer("old")
        _ = await endpoint.execute(TextRequest(path: "refused", method: .get)).failure
        let warning = "the endpoint's authentication isn't used, because the endpoint's headers"
        #expect(logger.lines.count { $0.contains(warning) } == 1)
        // A credential of the request's own is meant.
        let own = TextRequest(
            path: "refused",
            method: .get,
            headers: ["Authorization": "Basic YTpi"]
        )
        _ = await endpoint.execute(own).failure
        #expect(logger.lines.count { $0.contains(warning) } == 1)
        // A change during a call is for later calls.
        endpoint.interceptors = [
            ClosureInterceptor { [weak endpoint = self.endpoint] request, next in
                endpoint?.headers = [:]
                return try await next(request)
            }
        ]
        _ = await endpoint.execute(TextRequest(path: "refused", method: .get)).failure
        #expect(logger.lines.count { $0.contains(warning) } == 2)
    }

    @Test("says why a failure that could have been retried wasn't")
    func refusedRetry() async throws {
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        server.enqueue(.status(429).header("Retry-After", "3600"))
        _ = await TextRequest(path: "none", method: .get).execute(on: endpoint).failure
        #expect(
            logger.lines.map(stable) == [
                "error [n] DefaultRequest<String, ServerMessage> GET http://host/none: 429 Too Many Requests"
                    + "; not retried: the server asks for a delay of 3600 s, more than 60 s"
                    + " (RetryPolicy.maximumRetryAfter), t"
            ]
        )
    }

    @Test("has the line of a stream that doesn't decode, also after the transfer")
    func undecodableLine() async throws {
        struct Item: Decodable, Sendable { let id: Int }
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        server.route("GET", "/feed") { _ in .text("{\"id\":1}\n{\n") }
        await #expect(throws: DecodingFailure.self) {
            let stream = try await endpoint.stream(TextRequest(path: "feed", method: .get))
            for try await _ in stream.jsonLines(of: Item.self) {}
        }
        // Its transfer may end after its reader, and its line comes behind that of the end.
        await eventually { logger.lines.contains { $0.hasPrefix("error") } }
        #expect(
            logger.lines.map(stable)
                .contains(
                    "error [n] DefaultRequest<String, ServerMessage> GET http://host/feed"
                        + ": line 2 is not JSON: unexpected end at byte 1 (decoding Item)"
                )
        )
    }

    @Test("has the request's line when it is sent, before the response")
    func traceAtSending() async throws {
        let logger = LineLogger(level: .trace)
        let linesAtServer = Locked<[String]>([])
        server.route("GET", "/slow") { _ in
            linesAtServer.withLock { $0 = logger.lines }
            return .text("ok")
        }
        endpoint.logger = logger
        let request = TextRequest(path: "slow", method: .get)
        #expect(try await endpoint.value(for: request) == "ok")
        let lines = linesAtServer.withLock { $0 }
        #expect(lines.contains { $0.contains("> GET http://") && $0.hasPrefix("trace") })
        #expect(!lines.contains { $0.contains("< ") })
    }

    /// Keeps the metadata of the lines that matter enough.
    private struct MetadataLogger: NetworkLogger {
        let kept = Locked<[[String: String]]>([])

        func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
            Issue.record("a line without metadata: \(message())")
        }

        func log(
            _ level: NetworkLogLevel,
            _ message: @autoclosure () -> String,
            metadata: @autoclosure () -> [String: String]
        ) {
            guard level >= .info else { return }
            let metadata = metadata()
            kept.withLock { $0.append(metadata) }
        }
    }

    @Test("has the call, its request, attempt, status and duration as metadata")
    func metadata() async throws {
        let logger = MetadataLogger()
        endpoint.logger = logger
        server.enqueue(.status(503))
        _ = await TextRequest(path: "none?token=SECRET").execute(on: endpoint).failure
        _ = await TextRequest(path: "x", headers: ["a b": "c"]).execute(on: endpoint).failure
        let lines = logger.kept.withLock { $0 }
        let calls = lines.compactMap { $0["call"].flatMap { Int($0) } }
        #expect(calls.count == 3 && calls[0] == calls[1] && calls[1] < calls[2])
        #expect(lines.allSatisfy { $0["duration"].flatMap { Double($0) } ?? -1 >= 0 })
        let request = [
            "request": "DefaultRequest<String, ServerMessage>", "method": "GET",
            "url": "\(server.baseURL)/none?token",
        ]
        let expected: [[String: String]] = [
            request.merging(["attempt": "1", "status": "503"]) { $1 },
            request.merging(["attempt": "2", "status": "404"]) { $1 },
            ["request": "DefaultRequest<String, ServerMessage>"],
        ]
        let stable = lines.map { $0.filter { !["call", "duration"].contains($0.key) } }
        #expect(stable == expected)
    }

    @Test("warns once per host about an unencrypted credential, except for the local machine")
    func clearCredentials() async throws {
        let stub = StubTransport()
        stub.on(.get, "/x") { _ in .text("ok") }
        let logger = LineLogger(level: .warning)
        for base in ["http://a.test", "https://a.test", "http://127.0.0.1:9", "http://b.test"] {
            let url = try #require(URL(string: base))
            let endpoint = Endpoint(baseURL: url, transport: stub)
            endpoint.logger = logger
            _ = try await endpoint.value(for: TextRequest(path: "x"))
            endpoint.headers.authToken = .bearer("SECRET")
            let derived = endpoint.derived { _ in }
            for endpoint in [endpoint, endpoint, derived] {
                _ = try await endpoint.value(for: TextRequest(path: "x"))
            }
        }
        let prefix = "warning [n] DefaultRequest<String, ServerMessage> Authorization sent to"
        #expect(
            logger.lines.map(stable) == [
                "\(prefix) a.test without encryption", "\(prefix) b.test without encryption",
            ]
        )
    }

    @Test("has the type and length of a body at trace, unless it is JSON or a form")
    func otherBodies() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        for (type, shown) in [
            ("text/csv", "‹redacted: text/csv, 3 bytes›"),
            ("application/json", "‹redacted: application/json, 3 bytes›"),
            ("application/x-www-form-urlencoded", "a=b"),
        ] {
            server.route(nil, "/x") { _ in .data(Data("a=b".utf8), contentType: type) }
            let headers: HTTPHeaders = [.contentType: type, "X-Custom": "SECRET"]
            let body = RequestBody.raw(Data("a=b".utf8))
            let request = TextRequest(path: "x", method: .post, body: body, headers: headers)
            _ = try await endpoint.value(for: request)
            for mark in [" > ", " < "] {
                let line = try #require(logger.lines.last { $0.contains(mark) })
                #expect(line.hasSuffix(" | \(shown)"))
                #expect(!line.contains("SECRET"))
            }
        }
    }

    @Test("has each step, head and body at trace, one line each, without secrets")
    func trace() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        endpoint.headers.authToken = .bearer("SECRET")
        _ = try await endpoint.value(for: login)
        let lines = logger.lines.map(stable)
        let sent = try #require(lines.first { $0.hasPrefix("trace [n] LoginRequest >") })
        #expect(sent.contains("POST http://host/login/facebook | "))
        #expect(sent.contains("Authorization: ‹redacted›"))
        #expect(sent.hasSuffix(#"| {"token":"‹redacted›"}"#))
        let received = try #require(lines.first { $0.hasPrefix("trace [n] LoginRequest <") })
        #expect(received.contains("200 OK | "))
        #expect(received.hasSuffix(#"| {"id":7,"session":"‹redacted›"}"#))
        #expect(
            // Some transports tell about the connection.
            lines.filter { $0.hasPrefix("debug") && !$0.contains(" LoginRequest HTTP/") } == [
                "debug [n] LoginRequest POST http://host/login/facebook (18 bytes): queued",
                "debug [n] LoginRequest attempt 1", "debug [n] LoginRequest started",
                "debug [n] LoginRequest body sent", "debug [n] LoginRequest received 200 OK",
                "debug [n] LoginRequest attempt 1: 200 OK in t", "debug [n] LoginRequest decoded",
            ]
        )
        #expect(!lines.joined().contains("SECRET"))
    }

    @Test("has the request when it is sent, before the response")
    func sent() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        let sent = Locked<[String]>([])
        server.route("POST", "/login/facebook") { _ in
            sent.withLock { $0 = logger.lines }
            return .json(text: #"{"id":7}"#)
        }
        _ = try await endpoint.value(for: login)
        #expect(sent.withLock { $0 }.contains { $0.contains(" LoginRequest > POST ") })
        #expect(logger.lines.filter { $0.contains(" LoginRequest > POST ") }.count == 1)
    }

    @Test("escapes control characters from a server")
    func injection() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        endpoint.redaction = Redaction(wholeBodies: ["text/plain"])
        server.route(nil, "/text") { _ in .text("a\n2026 ERROR forged\r\u{1B}[2J\u{2028}b") }
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        #expect(
            logger.lines.allSatisfy {
                !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
        )
        #expect(logger.lines.contains { $0.contains(#"a\n2026 ERROR forged\r\u{1b}[2J\u{2028}b"#) })
    }

    @Test("shows at most 4 KiB of a body, whatever its characters")
    func limit() async throws {
        let logger = LineLogger()
        endpoint.logger = logger
        endpoint.redaction = Redaction(wholeBodies: ["text/plain"])
        server.route(nil, "/text") { _ in .text("a" + String(repeating: "\u{301}", count: 100_000))
        }
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        let line = try #require(logger.lines.first { $0.contains(" < 200 OK ") })
        #expect(line.utf8.count < 4_400)
        #expect(line.hasSuffix("… (200001 bytes)"))
    }

    @Test("has the response body of a call that asks for it")
    func debugResponse() async throws {
        let logger = LineLogger()
        let operation = login.execute(on: endpoint).debugResponse(to: logger)
        await operation.delivered()
        await login.execute(on: endpoint).debugResponse(false, to: logger).delivered()
        #expect(logger.lines.count == 1)
        let line = try #require(logger.lines.first.map(stable))
        #expect(line.hasPrefix("debug POST http://host/login/facebook (18 bytes): 200 OK, t"))
        #expect(line.hasSuffix("\n" + #"{"id":7,"session":"‹redacted›"}"#))
        server.route(nil, "/text") { _ in .text("a\nb\u{1B}[2J\u{202E}") }
        let text = TextRequest(path: "text", method: .get)
        await text.execute(on: endpoint).debugResponse(to: logger).delivered()
        #expect(logger.lines.last?.hasSuffix("\n‹redacted: text/plain, 10 bytes›") == true)
        endpoint.redaction = Redaction(wholeBodies: ["text/plain"])
        await text.execute(on: endpoint).debugResponse(to: logger).delivered()
        #expect(logger.lines.last?.hasSuffix("\na\nb\\u{1b}[2J\\u{202e}") == true)
    }

    @Test("matches the measurements of each attempt and call")
    func measurements() async throws {
        let seen = Locked<[CallMeasurement]>([])
        endpoint.observation.registerMeasurements { measurement in
            seen.withLock { $0.append(measurement) }
        }
        server.enqueue(.status(503))
        _ = await TextRequest(path: "none", method: .get).execute(on: endpoint).failure
        _ = try await endpoint.value(for: login)
        let measurements = seen.withLock { $0 }
        #expect(
            measurements.map(\.scope) == [
                .attempt(1), .attempt(2), .call(attempts: 2), .attempt(1), .call(attempts: 1),
            ]
        )
        #expect(measurements.map(\.status?.rawValue) == [503, 404, 404, 200, 200])
        #expect(measurements.map(\.isSuccessful) == [false, false, false, true, true])
        #expect(measurements.allSatisfy { $0.duration > .zero })
        #expect(
            measurements.last.map { $0.dimensions.map { "\($0)=\($1)" } } == [
                "request=LoginRequest", "method=POST", "host=127.0.0.1", "status=200",
                "cache=none", "outcome=success", "attempts=1",
            ]
        )
    }
}
