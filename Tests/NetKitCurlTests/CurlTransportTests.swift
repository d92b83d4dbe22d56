import Foundation
import NetKit
import NetKitCurl
import NetKitSupport
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct Text: Request {
    typealias ResponseObjectType = String
    let path: String
    var method = HTTPMethod.get
    var headers: HTTPHeaders = [:]
    var body: RequestBody?
}

@Suite("Transport over libcurl", .timeLimit(.minutes(15)))
struct CurlTransportTests {
    private let server: MockServer

    init() throws { server = try MockServer() }

    private func endpoint(
        _ url: String? = nil,
        retries: Int = 0,
        _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) throws -> Endpoint {
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: url ?? "http://127.0.0.1:\(server.port)")),
            transport: curl(configure),
            retryingCount: retries
        )
        endpoint.timeouts.idle = .seconds(3_600)
        return endpoint
    }

    private func failure(_ request: Text, _ endpoint: Endpoint) async -> TransportError? {
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.value(for: request)
            return nil
        } catch {
            guard case .transport(let error) = error else { return nil }
            return error
        }
    }

    @Test("refuses settings that libcurl would take for others")
    func settings() async throws {
        let long = "/" + String(repeating: "a", count: 200)
        let endpoints = try [
            endpoint { $0.unixSocketPath = "" }, endpoint { $0.unixSocketPath = long },
            endpoint { $0.localInterface = "" },
            endpoint { $0.addressOverrides = ["bücher.example:80": "127.0.0.1:1"] },
        ]
        for endpoint in endpoints {
            #expect(await failure(Text(path: "x"), endpoint)?.kind == .unsupported)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("names the version of libcurl and what it can do")
    func version() {
        #expect(CurlTransport.version.hasPrefix("libcurl "))
        #expect(!CurlTransport.version.contains("\n"))
    }

    @Test("lets an endpoint send as many requests to a host as it has connections")
    func connections() throws {
        #expect(try endpoint().maximumConcurrentRequestsPerHost == 8)
        #expect(
            try endpoint { $0.maximumConnectionsPerHost = 12 }.maximumConcurrentRequestsPerHost
                == 12
        )
    }

    @Test(
        "takes time limits of any length",
        arguments: [
            .seconds(-1), .zero, .milliseconds(Int64(Int32.max) + 1), .seconds(Int64.max),
        ] as [Duration]
    )
    func limits(limit: Duration) async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = try endpoint {
            $0.idleConnectionLifetime = limit
            // A limit of nothing counts as a millisecond, in which a slow machine doesn't connect.
            if limit > .zero { $0.connectTimeout = limit }
        }
        for _ in 1...2 { #expect(try await endpoint.value(for: Text(path: "x")) == "ok") }
    }

    @Test(
        "sends the method, the path and the fields as written, and adds none but the necessary ones"
    )
    func wire() async throws {
        server.route(nil, "/a//b/%7Ec") { _ in .text("ok") }
        let endpoint = try endpoint()
        let fields: HTTPHeaders = ["x-Case": "1", "X-Empty": ""]
        _ = try await endpoint.value(for: Text(path: "a//b/%7Ec", headers: fields))
        for method in [HTTPMethod.post, .put, .delete, .options, .custom("purge")] {
            _ = try await endpoint.value(
                for: Text(path: "a//b/%7Ec", method: method, headers: fields)
            )
        }
        _ = try await endpoint.value(
            for: Text(path: "a//b/%7Ec", method: .post, headers: fields, body: .string("hello"))
        )
        let sent = server.requests
        #expect(
            sent.map { "\($0.method)" } == [
                "GET", "POST", "PUT", "DELETE", "OPTIONS", "purge", "POST",
            ]
        )
        #expect(Set(sent.map(\.target)) == ["/a//b/%7Ec"])
        let names = sent.map { $0.headers.map(\.name.rawName).filter { $0 != "User-Agent" } }
        #expect(names[0] == ["Host", "Accept-Encoding", "Accept", "x-Case", "X-Empty"])
        #expect(Set(names[1]) == Set(names[0] + ["Content-Length"]))
        #expect(names[3] == names[0])
        #expect(Set(names[6]) == Set(names[0] + ["Content-Type", "Content-Length"]))
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test(
        "sends a body with every method but HEAD",
        arguments: [HTTPMethod.get, .head, .custom("head"), .delete]
    )
    func bodies(method: HTTPMethod) async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let url = server.baseURL.appendingPathComponent("x")
        for size in [1, 100_000] {
            let body = BodySource(Data(count: size))
            let request = EncodedRequest(url: url, method: method, headers: [:], body: body)
            _ = await Received.of(request, over: CurlTransport())
        }
        let sizes = method.rawValue.lowercased() == "head" ? [] : [1, 100_000]
        #expect(server.requests.map(\.method) == sizes.map { _ in method })
        #expect(server.requests.map(\.body.count) == sizes)
    }

    @Test(
        "expects no body after HEAD, in whatever case it is written",
        arguments: [HTTPMethod.head, .custom("head")]
    )
    func head(method: HTTPMethod) async throws {
        let server = try ScriptedServer { peer in
            guard peer.readHead()?.hasPrefix("HEAD / ") == true else { return }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
        }
        let received = Received()
        received.begin(EncodedRequest(url: testURL(server.url), method: method), over: curl())
        _ = await received.ending()
        #expect(received.isWhole, "\(String(describing: received.error))")
        #expect(received.head?.status == 200 && received.body.isEmpty)
    }

    /// libcurl would send the request again without the field, and drops the body of the response.
    @Test("returns a 417 for an expectation, and sends no second request", arguments: [3, 200_000])
    func refusedExpectation(size: Int) async throws {
        let heads = Locked(0)
        let server = try ScriptedServer { peer in
            while peer.readHead() != nil {
                heads.withLock { $0 += 1 }
                peer.write("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno")
            }
        }
        let request = EncodedRequest(
            url: testURL(server.url),
            method: .post,
            headers: ["Expect": "100-continue"],
            body: BodySource(Data(count: size))
        )
        let received = Received()
        received.begin(request, over: curl())
        _ = await received.ending()
        #expect(received.isWhole, "\(String(describing: received.error))")
        #expect(received.head?.status == 417)
        #expect(heads.withLock { $0 } == 1)
    }

    @Test("sends no user information of a URL as a credential")
    func userInformation() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let transport = CurlTransport()
        let url = try #require(URL(string: "http://ada:secret@127.0.0.1:\(server.port)/x@y"))
        _ = await Received.of(EncodedRequest(url: url, method: .get), over: transport)
        let sent = try #require(server.requests.first)
        #expect(sent.header("Authorization") == nil && sent.target == "/x@y")
    }

    // MARK: Addresses

    @Test(
        "connects to no address that isn't allowed, and sends no byte there",
        arguments: [
            "http://127.0.0.1", "http://localhost", "http://127.1", "http://0x7f.0.0.1",
            "http://2130706433",
            "http://[::ffff:127.0.0.1]", "http://0.0.0.0", "http://[::1]", "http://[::]",
        ]
    )
    func publicOnly(url: String) async throws {
        let endpoint = try endpoint("\(url):\(server.port)") { $0.allowedAddresses = .publicOnly }
        let error = await failure(Text(path: "x"), endpoint)
        #expect(error?.kind == .cannotConnect)
        #expect(
            error?.message.contains("not an allowed address") == true,
            "\(String(describing: error))"
        )
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("checks the address that a redirect leads to")
    func redirect() async throws {
        let inner = try MockServer()
        server.route(nil, "/x") { _ in .redirect(to: "http://127.0.0.2:\(inner.port)/secret") }
        let endpoint = try endpoint {
            $0.allowedAddresses = .custom { $0 == "127.0.0.1" }
        }
        let error = await failure(Text(path: "x"), endpoint)
        #expect(error?.message.contains("127.0.0.2") == true, "\(String(describing: error))")
        #expect(inner.acceptedConnectionCount == 0 && server.requests.count == 1)
    }

    @Test("connects to the address that overrides a host, and keeps the name")
    func override() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = try endpoint("http://api.example.com") {
            $0.addressOverrides = ["api.example.com:80": "127.0.0.1:\(server.port)"]
        }
        #expect(try await endpoint.value(for: Text(path: "x")) == "ok")
        #expect(server.requests.first?.header("Host") == "api.example.com")
    }

    // MARK: Bodies

    @Test("stops the server while the response isn't read, and goes on afterwards")
    func backpressure() async throws {
        let size = 64 << 20
        server.route(nil, "/big") { _ in .data(Data(count: size)) }
        let transport = CurlTransport()
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/big"))
        let received = Received(pausesAfter: 1 << 20)
        let exchange = transport.send(EncodedRequest(url: url, method: .get), to: received)
        received.exchange.withLock { $0 = exchange }
        await eventually { received.count >= 1 << 20 }
        #expect(received.count < 8 << 20)
        #expect(!received.hasEnded)
        exchange.resume()
        _ = await received.ending()
        #expect(received.count == size)
    }

    @Test(
        "sends live sequences while they produce data, of a known length and of none",
        arguments: [5, nil]
    )
    func live(length: Int64?) async throws {
        server.route("POST", "/x") { request in .text(String(decoding: request.body, as: UTF8.self))
        }
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        let body = RequestBody.stream(pieces, length: length, isLive: true)
        let endpoint = try endpoint()
        async let value = endpoint.value(for: Text(path: "x", method: .post, body: body))
        continuation.yield(Data("ab".utf8))
        await eventually { !server.incompleteRequests.isEmpty }
        continuation.yield(Data("cde".utf8))
        continuation.finish()
        #expect(try await value == "abcde")
        let framing = server.requests.first?.header("Transfer-Encoding")
        #expect(framing == (length == nil ? "chunked" : nil))
    }

    @Test(
        "completes no request of a live body that is longer than its length, or fails after it",
        arguments: [true, false]
    )
    func liveFailure(isTooLong: Bool) async throws {
        struct Broken: Error {}
        let (pieces, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        continuation.yield(Data("ab".utf8))
        if isTooLong { continuation.yield(Data("c".utf8)) }
        continuation.finish(throwing: isTooLong ? nil : Broken())
        let body = RequestBody.stream(pieces, length: 2, isLive: true)
        let error = await failure(Text(path: "x", method: .post, body: body), try endpoint())
        let cause = error?.underlying
        #expect(isTooLong ? cause is InvalidRequest : cause is Broken, "\(cause as Any)")
        #expect(server.requests.isEmpty)
    }

    @Test(
        "ends a call whose response comes while its live body waits for the next piece",
        arguments: [401, 413]
    )
    func early(status: Int) async throws {
        server.enqueue(.text("no", status: status).respondingBeforeBody())
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("ab".utf8))
        let body = RequestBody.stream(pieces, length: nil, isLive: true)
        let endpoint = try endpoint()
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.value(for: Text(path: "x", method: .post, body: body))
            Issue.record("the response is a failure")
        } catch {
            #expect(error.status?.rawValue == status)
        }
        withExtendedLifetime(continuation) {}
    }

    @Test(
        "cancels the task that waits for the next piece of a live body, or with one, when its call ends",
        arguments: [true, false],
        [0, 64 << 20]
    )
    func liveEnd(isCancelled: Bool, length: Int) async throws {
        if !isCancelled { server.enqueue(.text("no", status: 413).respondingBeforeBody()) }
        let (pieces, continuation) = AsyncStream<Data>.makeStream()
        if length > 0 { continuation.yield(Data(count: length)) }
        let isOver = Locked(false)
        continuation.onTermination = { end in
            if case .cancelled = end { isOver.withLock { $0 = true } }
        }
        let body = RequestBody.stream(pieces, length: nil, isLive: true)
        let endpoint = try endpoint()
        let call = Task {
            try await endpoint.value(for: Text(path: "x", method: .post, body: body))
        }
        if isCancelled {
            await eventually { !server.incompleteRequests.isEmpty }
            call.cancel()
        }
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await call.value }
        await eventually { isOver.withLock { $0 } }
        #expect(isOver.withLock { $0 })
        withExtendedLifetime(continuation) {}
    }

    @Test(
        "never sends a live body again after a failure, a redirect or a 401",
        arguments: [503, 307, 401]
    )
    func liveOnce(status: Int) async throws {
        server.enqueue(
            .status(status).header("Location", "/y").header("WWW-Authenticate", "Basic realm=x")
        )
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("abc".utf8))
        continuation.finish()
        let endpoint = try endpoint(retries: 3)
        endpoint.retryPolicy.backoff = .none
        endpoint.authentication = BasicAuthentication(username: "u", password: "p")
        let body = RequestBody.stream(pieces, isLive: true)
        let call = Text(path: "x", method: .post, body: body).execute(on: endpoint)
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await call.retryOnFail(true).value
            Issue.record("the response is a failure")
        } catch {
            #expect(error.status?.rawValue == status)
        }
        #expect(server.requests.map(\.body) == [Data("abc".utf8)])
    }

    @Test("never sends a POST twice on a kept connection that the server ends without a response")
    func repeatedPost() async throws {
        server.route("GET", "/x") { _ in .text("ok") }
        server.route("POST", "/x") { _ in .fault(.closeBeforeHead) }
        let endpoint = try endpoint()
        for body in [nil, RequestBody.string("x"), .raw(Data(count: 200_000))] {
            _ = try await endpoint.value(for: Text(path: "x"))
            let error = await failure(Text(path: "x", method: .post, body: body), endpoint)
            #expect(error?.kind == .connectionLost)
        }
        #expect(server.requests.count { $0.method == "POST" } == 3)
    }

    // MARK: Connections

    @Test("tells about the connection: new at first, kept afterwards")
    func facts() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = try endpoint()
        let found = Found<ConnectionFacts?>()
        for _ in 0..<2 {
            _ = try await Text(path: "x").execute(on: endpoint)
                .onDebug { found.append($0.phases?.connection) }
                .value
        }
        await eventually { found.all.count == 2 }
        let facts = found.all.compactMap(\.self)
        #expect(facts.map(\.isReused) == [false, true])
        #expect(facts.map(\.httpVersion) == ["1.1", "1.1"])
        #expect(Set(facts.map(\.remoteAddress)) == ["127.0.0.1:\(server.port)"])
        #expect(facts.map { $0.connectDuration != nil } == [true, false])
        #expect(facts.map { $0.resolveDuration != nil } == [true, false])
        #expect(facts.map(\.tlsDuration) == [nil, nil])
    }

    @Test("doesn't reuse a connection that the server is about to close")
    func keepAlive() async throws {
        server.route(nil, "/x") { _ in .text("ok").header("Keep-Alive", "timeout=1") }
        let endpoint = try endpoint()
        for _ in 0..<3 { _ = try await endpoint.value(for: Text(path: "x")) }
        #expect(server.acceptedConnectionCount == 3)
        // The first one, opened before the server said so, may stay.
        await eventually { server.openConnectionCount <= 1 }
        #expect(server.openConnectionCount <= 1)
        withExtendedLifetime(endpoint) {}
    }

    @Test("leaves no connection of HTTP/2 open that it uses no more")
    func priorKnowledge() async throws {
        let server = try ScriptedServer { peer in
            guard let peer = HTTP2Peer(peer) else { return }
            while let request = peer.nextRequest() {
                peer.respond(200, on: request.stream, ends: true)
            }
        }
        let transport = curl { $0.httpVersion = .http2PriorKnowledge }
        for _ in 0..<20 { #expect(await Received.get(server.url, over: transport).isWhole) }
        await eventually { server.connected <= 1 }
        #expect(server.connected <= 1)
        withExtendedLifetime(transport) {}
    }

    @Test("waits for requests in flight when it shuts down, and refuses later ones")
    func shutdown() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let transport = CurlTransport()
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, retryingCount: 0)
        async let value = endpoint.value(for: Text(path: "x"))
        #expect(try await value == "ok")
        await transport.shutdown()
        await transport.shutdown()
        try await server.waitUntilDisconnected()
        let error = await failure(Text(path: "x"), endpoint)
        #expect(error?.message.contains("shut down") == true)
    }

    @Test("ends events and JSON lines after its shutdown, which would reconnect for ever")
    func shutdownOfReaders() async throws {
        let transport = CurlTransport()
        await transport.shutdown()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: transport,
            retryingCount: 0,
            clock: ManualClock()
        )
        let request = Text(path: "x")
        // Cancels a delay, which would not end on this clock.
        let onLoss: @Sendable (LostConnection) -> Void = { _ in endpoint.cancelAllRequests() }
        await #expect {
            for try await _ in endpoint.events(for: request, onLostConnection: onLoss) {}
        } throws: {
            "\($0)".contains("shut down")
        }
        let lines = endpoint.jsonLines(for: request, onLostConnection: onLoss) { _ in nil }
        await #expect {
            for try await _ in lines {}
        } throws: {
            "\($0)".contains("shut down")
        }
    }

    @Test("shuts down before its first request")
    func earlyShutdown() async {
        await CurlTransport().shutdown()
    }

    @Test("ends all connections when it is released")
    func release() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        do {
            let endpoint = try endpoint()
            _ = try await endpoint.value(for: Text(path: "x"))
            #expect(server.openConnectionCount == 1)
        }
        try await server.waitUntilDisconnected()
    }

    @Test("refuses a configuration that libcurl can't carry out, before sending")
    func unsupported() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoints = try [
            endpoint { $0.proxy = .url(URL(fileURLWithPath: "/x")) },
            endpoint { $0.tls.pinnedPublicKeys = ["not a hash"] },
        ]
        for endpoint in endpoints {
            #expect(await failure(Text(path: "x"), endpoint)?.kind == .unsupported)
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    /// libcurl from 8.13 to 8.21 leaves out a field of more than 300 KiB.
    @Test(
        "refuses a head of a request with a field above 300 KiB, or above libcurl's limit of 1 MiB",
        arguments: [(1, 310_000), (1, 1_200_000), (4, 290_000)]
    )
    func largeRequest(fields: Int, size: Int) async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = try endpoint()
        let value = String(repeating: "a", count: size)
        for number in 1...fields { endpoint.headers[HTTPHeaderName("X-Large-\(number)")] = value }
        let error = try #require(await failure(Text(path: "x"), endpoint))
        #expect(error.kind == .unsupported)
        #expect("\(error)".contains("the head of the request is too large"))
        #expect(server.requests.isEmpty)
    }

    @Test("shows no password of its configuration")
    func configuration() throws {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(testURL("http://me:s3cret@proxy.test:1"))
        configuration.tls.clientCertificate = .init(
            chain: Data("s3cret".utf8),
            key: Data("s3cret".utf8),
            password: "s3cret"
        )
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(dumped.contains("proxy.test"))
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
    }

    @Test("takes a pinned key as base64 prints it, with a newline")
    func printedPin() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let pin = Data(repeating: 7, count: 32).base64EncodedString() + "\n"
        let endpoint = try endpoint { $0.tls.pinnedPublicKeys = [pin, " sha256/\(pin)"] }
        #expect(try await endpoint.value(for: Text(path: "x")) == "ok")
    }

    // MARK: Hostile servers

    @Test(
        "gives a value or a typed error for every head",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 20",
            "HTTP/1.1 200 OK\r\nA: 1\r\n\0\r\n\r\n", "HTTP/1.1 000 OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n",
            "HTTP/1.1 1000 OK\r\n\r\n", "garbage\r\n\r\n", "<html>HTTP/0.9</html>",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nA : 1\r\nContent-Length: 0\r\n\r\n",
            // libcurl from 8.18 on puts a folded line together before it reads it.
            "HTTP/1.1 200 OK\r\nContent-Length:\r\n 1\r\n\r\n",
        ]
    )
    func hostileHeads(bytes: String) async throws {
        server.route(nil, "/x") { _ in .raw(Data(bytes.utf8)) }
        let error = await failure(Text(path: "x"), try endpoint())
        let kinds: Set<TransportError.Kind> = [
            .malformedResponse, .truncatedResponse, .connectionLost,
        ]
        #expect(error.map { kinds.contains($0.kind) } == true, "\(String(describing: error))")
    }

    @Test("takes no more than a bounded head, and skips informational ones and trailers")
    func longHeads() async throws {
        let field = "A: \(String(repeating: "a", count: 60_000))\r\n"
        let heads = [
            "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 40)
                + "Content-Length: 0\r\n\r\n",
            String(repeating: "HTTP/1.1 103 Early\r\n\(field)\r\n", count: 40)
                + "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\n" + String(repeating: "A: 1\r\n", count: 200_000) + "\r\n",
        ]
        for head in heads {
            server.route(nil, "/x") { _ in .raw(Data(head.utf8)) }
            #expect(await failure(Text(path: "x"), try endpoint())?.kind == .malformedResponse)
        }
        let trailers =
            "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nSum: 7\r\n\r\n"
        server.route(nil, "/x") { _ in .raw(Data(trailers.utf8), closesConnection: false) }
        let endpoint = try endpoint()
        #expect(try await endpoint.value(for: Text(path: "x")) == "ok")
        #expect(try await endpoint.value(for: Text(path: "x")) == "ok")
    }
}

/// Values in the order in which they were found.
private final class Found<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func append(_ value: Value) { values.withLock { $0.append(value) } }
}
