import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What URLSession does on Linux to a process that uses it plainly, and what NetKit makes of it.
@Suite("URLSession's hazards", .timeLimit(.minutes(15)))
struct HazardTests {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path: String
        var method: HTTPMethod = .get
        var body: RequestBody?
        var headers: HTTPHeaders = [:]
    }

    private func endpoint(_ server: MockServer) -> Endpoint {
        testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func failure(
        _ request: Text,
        on endpoint: Endpoint
    ) async -> ErrorResponse<ServerMessage>? {
        do {
            _ = try await endpoint.value(for: request)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "returns a 401 for a Basic challenge without a credential, and doesn't hang",
        arguments: [#"Basic realm="x""#, #"Digest realm="x", nonce="n", Basic realm="x""#],
        [nil, AuthToken.basic(username: "u", password: "wrong")]
    )
    func basicChallenge(challenge: String, token: AuthToken?) async throws {
        let server = try MockServer()
        server.route(nil, "/secret") { _ in
            .text("who are you?", status: 401).header("WWW-Authenticate", challenge)
        }
        var request = Text(path: "secret")
        request.headers.authToken = token
        let error = await failure(request, on: endpoint(server))
        #expect(error?.statusCode == 401)
        #expect(error?.response.map { String(decoding: $0.body, as: UTF8.self) } == "who are you?")
        #expect(server.requests.count == 1)
    }

    @Test("skips informational responses")
    func informational() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("final").informational([103, 102, 100]) }
        #expect(try await endpoint(server).value(for: Text(path: "x")) == "final")
    }

    @Test(
        "skips an announced trailer, or fails clearly when it follows the head"
    )
    func trailers() async throws {
        let server = try MockServer()
        let head = "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"
        guard TransportUnderTest.limits.contains(.trailers) else {
            let rest = "2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n"
            server.route(nil, "/x") { _ in .raw(Data((head + rest).utf8), closesConnection: false) }
            #expect(try await endpoint(server).value(for: Text(path: "x")) == "ok")
            return
        }
        server.route(nil, "/x") { _ in .raw(Data(head.utf8), closesConnection: false) }
        let error = await failure(Text(path: "x"), on: endpoint(server))
        guard case .transport(let transport) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.kind == .unsupported)
        #expect("\(transport)".contains("trailers"))
    }

    @Test("accepts an IPv6 literal as the host, or fails clearly")
    func ipv6() async throws {
        let url = try #require(URL(string: "http://[::1]:9/x"))
        let error = await failure(Text(path: "x"), on: testEndpoint(baseURL: url, retryingCount: 0))
        guard case .transport(let transport) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        guard TransportUnderTest.limits.contains(.ipv6Literals) else {
            // Nobody listens there, and that much was found out.
            #expect(transport.kind == .cannotConnect)
            return
        }
        #expect(transport.kind == .unsupported)
        #expect("\(transport)".contains("IPv6"))
    }

    @Test("accepts an upper-case scheme")
    func upperCaseScheme() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)"))
        #expect(try await testEndpoint(baseURL: url).value(for: Text(path: "x")) == "ok")
    }

    @Test(
        "distinguishes a truncated response from other failures",
        arguments: [
            (
                MockResponse.text("0123456789").cutting(afterBodyBytes: 4),
                TransportError.Kind.truncatedResponse
            ),
            (.text("0123456789").cutting(afterBodyBytes: 4, reset: true), .truncatedResponse),
            (
                .chunked([Data("0123".utf8), Data("4567".utf8)]).cutting(afterBodyBytes: 4),
                .truncatedResponse
            ),
            (.fault(.closeBeforeHead), .connectionLost),
            (.fault(.resetBeforeHead), .connectionLost),
            (
                .raw(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8)),
                .malformedResponse
            ),
            (.raw(Data("no http at all\r\n\r\n".utf8)), .malformedResponse),
        ]
    )
    func brokenResponses(response: MockResponse, kind: TransportError.Kind) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in response }
        let error = await failure(Text(path: "x"), on: endpoint(server))
        guard case .transport(let transport) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.kind == kind, "\(String(describing: transport.underlying))")
    }

    @Test("rejects conflicting Content-Length fields as malformed")
    func twoLengths() async throws {
        let server = try MockServer()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nokay"
        server.route(nil, "/x") { _ in .raw(Data(head.utf8)) }
        let error = await failure(Text(path: "x"), on: endpoint(server))
        #expect(error?.kind == .transport(.malformedResponse))
    }

    @Test(
        "stops at the endless body of a redirect, with or without a length, and follows it if that is possible",
        arguments: [false, true]
    )
    func endlessRedirect(isAnnounced: Bool) async throws {
        let server = try MockServer()
        server.route(nil, "/ok") { _ in .text("ok") }
        server.route(nil, "/x") { _ in
            let redirect = MockResponse.data(Data(count: 10_000_000), status: 302)
                .header("Location", "/ok").dripping(bytes: 1000, every: .milliseconds(20))
            return isAnnounced ? redirect : redirect.delimitedByClose()
        }
        let endpoint = endpoint(server)
        endpoint.maximumResponseSize = 10_000
        let error = await failure(Text(path: "x"), on: endpoint)
        let isUncounted = TransportUnderTest.limits.contains(.redirectBodies)
        #expect(error?.kind == (isUncounted ? .transport(.unsupported) : nil))
        try await server.waitForClientClose()
        #expect(server.requests.map(\.path) == (isUncounted ? ["/x"] : ["/x", "/ok"]))
        #expect(try await endpoint.value(for: Text(path: "ok")) == "ok")
    }

    @Test("accepts a field without a space after its colon, or fails clearly")
    func fieldWithoutBlank() async throws {
        let server = try MockServer()
        let head = "HTTP/1.1 200 OK\r\nX-A:v\r\nContent-Length: 0\r\n\r\n"
        server.route(nil, "/x") { _ in .raw(Data(head.utf8)) }
        let error = await failure(Text(path: "x"), on: endpoint(server))
        guard TransportUnderTest.limits.contains(.fieldsWithoutBlanks) else {
            #expect(error == nil)
            return
        }
        guard case .transport(let transport) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.kind == .malformedResponse)
    }

    @Test("distinguishes a refused connection from an unknown host")
    func unreachable() async throws {
        let closed = try RefusingPort()
        defer { withExtendedLifetime(closed) {} }
        let url = try #require(URL(string: "http://127.0.0.1:\(closed.port)"))
        let refused = await failure(
            Text(path: "x"),
            on: testEndpoint(baseURL: url, retryingCount: 0)
        )
        guard case .transport(let error) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(error.kind == .cannotConnect)
        let nowhere = try #require(URL(string: "http://does-not-exist.invalid/"))
        let unknown = await failure(
            Text(path: "x"),
            on: testEndpoint(baseURL: nowhere, retryingCount: 0)
        )
        guard case .transport(let error) = unknown else {
            Issue.record("\(String(describing: unknown))")
            return
        }
        #expect(error.kind == .cannotFindHost)
    }

    @Test("counts decompressed bytes against the size limit, and stops at once")
    func sizeLimit() async throws {
        let server = try MockServer()
        server.route(nil, "/gzip") { _ in .gzip(Data(repeating: 65, count: 100_000)) }
        server.route(nil, "/endless") { _ in
            .chunked(Array(repeating: Data(repeating: 66, count: 10_000), count: 100_000))
        }
        let endpoint = endpoint(server)
        endpoint.maximumResponseSize = 100_000
        #expect(try await endpoint.value(for: Text(path: "gzip")).utf8.count == 100_000)
        endpoint.maximumResponseSize = 99_999
        for path in ["gzip", "endless"] {
            let error = await failure(Text(path: path), on: endpoint)
            guard case .transport(let transport) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(transport.kind == .responseTooLarge)
        }
    }

    @Test("sends one Content-Length and no chunks, on a fresh and on a reused connection")
    func framing() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = endpoint(server)
        for size in [0, 1, 100, 70_000, 500_000] {
            let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let request = Text(path: "x", method: .post, body: .raw(body))
            #expect(try await endpoint.value(for: request) == "ok")
            let recorded = try #require(server.requests.last)
            #expect(recorded.body == body)
            #expect(recorded.headers(named: "Content-Length") == ["\(size)"])
            #expect(recorded.headers(named: "Transfer-Encoding").isEmpty)
            #expect(recorded.headers(named: "Expect").isEmpty)
        }
        // The POST without bytes may have one of its own; see StaleConnectionTests.
        let ownsOne = TransportUnderTest.limits.contains(.keptConnectionsWithoutBytes)
        #expect(server.acceptedConnectionCount == (ownsOne ? 2 : 1))
    }

    @Test("doesn't time out calls that wait for a connection")
    func queueing() async throws {
        let server = try MockServer()
        // One for each: with one for all, a later request could be answered in place of an earlier one.
        let gates = Dictionary(
            uniqueKeysWithValues: (0..<12).map { ("/slow/\($0)", DispatchSemaphore(value: 0)) }
        )
        server.route(nil, "/slow/*") { request in
            gates[request.path]?.wait()
            return .text("ok")
        }
        let clock = ManualClock()
        let transport = TransportUnderTest.make()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: transport,
            retryingCount: 0,
            clock: clock
        )
        endpoint.maximumConcurrentRequestsPerHost = 2
        // The last two calls take 24 seconds, 20 of which they wait for a connection.
        endpoint.timeouts.idle = .seconds(5)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<12 {
                group.addTask { try await endpoint.value(for: Text(path: "slow/\(number)")) }
            }
            for round in 1...6 {
                let requests = try await server.waitForRequests(2 * round)
                clock.advance(by: .seconds(4))
                for request in requests.suffix(2) { gates[request.path]?.signal() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 12)
        #expect(peakConnections(of: server) <= 2)
    }

    /// The most connections that were open at the same time.
    private func peakConnections(of server: MockServer) -> Int {
        var (open, peak) = (0, 0)
        for event in server.connectionEvents {
            switch event.kind {
            case .accepted: open += 1
            case .clientClosed, .serverClosed: open -= 1
            case .requestHeadReceived, .requestReceived: break
            }
            peak = max(peak, open)
        }
        return peak
    }

    @Test("survives session header fields that aren't text")
    func additionalHeaders() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Number": 5, "X-Text": "t"]
        let endpoint = testEndpoint(
            baseURL: server.baseURL,
            sessionConfiguration: configuration,
            headers: ["x-text": "mine"]
        )
        _ = try await endpoint.value(for: Text(path: "x"))
        let recorded = try #require(server.requests.last)
        #expect(recorded.header("X-Number") == "5")
        #expect(recorded.headers(named: "X-Text") == ["mine"])
    }

    @Test(
        "survives a timeout of any size, and completes the call",
        arguments: [Double.nan, .infinity, .greatestFiniteMagnitude, 1e16, 86_400]
    )
    func timeouts(seconds: Double) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok").delayed(by: .milliseconds(20)) }
        let request = TextRequest(path: "x", timeout: seconds)
        #expect(try await endpoint(server).value(for: request) == "ok")
    }
}
