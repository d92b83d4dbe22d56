import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Mock server", .timeLimit(.minutes(15)))
struct MockServerTests {
    private func request(_ method: String, _ target: String, body: String? = nil) -> String {
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        return "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(length)\r\n\(body ?? "")"
    }

    /// Sends one request on a connection of its own.
    private func answer(_ server: MockServer, to request: String) throws -> String {
        let client = try RawClient(port: server.port)
        client.send(
            request.replacing("\r\nHost: h\r\n", with: "\r\nHost: h\r\nConnection: close\r\n")
        )
        return client.readText()
    }

    @Test("serves a route repeatedly on one connection")
    func keepAlive() throws {
        let server = try MockServer()
        server.route("GET", "/a") { _ in .text("A") }
        let client = try RawClient(port: server.port)
        for index in 0..<3 {
            client.send(request("GET", "/a"))
            let answer = client.readText(until: "\r\n\r\nA")
            #expect(
                answer == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
                    + "Content-Length: 1\r\n\r\nA"
            )
            #expect(server.requests.last?.indexOnConnection == index)
            #expect(server.requests.last?.connectionID == 1)
        }
        #expect(server.acceptedConnectionCount == 1)
        #expect(server.openConnectionCount == 1)
    }

    @Test("responds to pipelined requests in order")
    func pipelining() throws {
        let server = try MockServer()
        server.route(nil, "/*") { .text("<\($0.target)>").delayed(by: .milliseconds(1)) }
        let client = try RawClient(port: server.port)
        client.send((0..<20).map { request("POST", "/\($0)", body: "b\($0)") }.joined())
        let answers = client.readText(until: "</19>")
        let found = answers.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(found.map(String.init) == (0..<20).map { "/\($0)" })
        #expect(server.requests.map(\.text) == (0..<20).map { "b\($0)" })
    }

    @Test("records requests as sent")
    func recording() throws {
        let server = try MockServer()
        let client = try RawClient(port: server.port)
        let target = "/a%2fb//c;x?q=%20+&&Q"
        client.send("PATCH \(target) HTTP/1.1\r\nhost: h\r\nX-b: 1\r\nX-A:  2 \r\nx-B: 3\r\n")
        client.send("transfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nT: t\r\n\r\n")
        _ = client.readText(until: "\r\n\r\n")
        let request = try #require(server.requests.first)
        #expect(request.method == "PATCH")
        #expect(request.target == target)
        #expect(
            request.headers.map(\.name.rawName) == [
                "host", "X-b", "X-A", "x-B", "transfer-encoding",
            ]
        )
        #expect(request.headers.map(\.value) == ["h", "1", "2", "3", "chunked"])
        #expect(request.text == "abc")
        #expect(request.bodyLength == 3)
        #expect(request.trailers.map(\.name) == ["T"])
        #expect(request.headReceivedAt <= request.receivedAt)
        #expect(server.requestCount == 1)
        server.clearRequests()
        #expect(server.requests.isEmpty)
        #expect(server.requestCount == 1)
    }

    @Test(
        "prefers the matching route that was added last",
        arguments: [
            ("GET", "/a", "get a"), ("POST", "/a", "any a"), ("HEAD", "/a", ""),
            ("GET", "/b", "new b"), ("GET", "/files", "files"), ("PUT", "/files/x/y", "files"),
            ("GET", "/files/x", "x"), ("GET", "/files?x", "files"),
        ]
    )
    func routes(method: String, target: String, body: String) throws {
        let server = try MockServer()
        server.route(nil, "/a") { _ in .text("any a") }
        server.route("GET", "/a") { _ in .text("get a") }
        server.route("GET", "/b") { _ in .text("old b") }
        server.route("GET", "/b") { _ in .text("new b") }
        server.route(nil, "/files/*") { _ in .text("files") }
        server.route("GET", "/files/x") { _ in .text("x") }
        let answer = try answer(server, to: request(method, target))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n\(body)"))
    }

    @Test("takes routes with placeholders, without a slash, and in lowercase")
    func spellings() throws {
        let server = try MockServer()
        server.route("get", "users/{id}") { .text("user \($0.path)") }
        server.route("GET", "/users/{id}/files/*") { .text("file \($0.path)") }
        for (path, text) in [
            ("/users/7", "user /users/7"), ("/users/7/files", "file /users/7/files"),
            ("/users/7/files/a/b", "file /users/7/files/a/b"), ("/users/", nil),
            ("/users/7/x", nil),
        ] as [(String, String?)] {
            let answer = try answer(server, to: request("GET", path))
            #expect(text.map { answer.hasSuffix($0) } ?? answer.hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test("names the unmatched request")
    func unmatched() throws {
        let server = try MockServer()
        server.route("GET", "/a") { _ in .text("a") }
        for (method, path) in [("POST", "/a"), ("GET", "/aa"), ("GET", "/a/")] {
            let answer = try answer(server, to: request(method, path + "?x"))
            #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(answer.hasSuffix("no route for \(method) \(path)"))
        }
    }

    @Test("responds with a thrown error's text, and keeps serving")
    func throwing() throws {
        struct Broken: Error {}
        let server = try MockServer()
        server.route(nil, "/x") { _ in throw Broken() }
        let answer = try answer(server, to: request("GET", "/x"))
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
        #expect(answer.hasSuffix("the route for GET /x threw: Broken()"))
    }

    @Test("rejects an invalid request with a reason, and closes the connection")
    func malformed() throws {
        let server = try MockServer()
        let client = try RawClient(port: server.port)
        // More than the answer could do with: closing must not make the client lose it.
        client.send(
            "GET / HTTP/1.1\r\nBad Name: x\r\n\r\n" + String(repeating: "x", count: 300_000)
        )
        client.finishWriting()
        let outcome = client.read()
        let answer = String(decoding: outcome.bytes, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.hasSuffix("malformed request: a field name is not a token: Bad Name"))
        #expect(outcome.end == .closed)
        #expect(server.requests.isEmpty)
    }

    @Test("serves other connections while a route blocks")
    func waitingRoutes() throws {
        let server = try MockServer()
        let other = try MockServer()
        let gate = DispatchSemaphore(value: 0)
        server.route(nil, "/wait") { _ in
            gate.wait()
            return .text("waited")
        }
        for server in [server, other] { server.route(nil, "/x") { _ in .text("at once") } }
        let clients = try (0..<8).map { _ in try RawClient(port: server.port) }
        for client in clients { client.send(request("GET", "/wait")) }
        #expect(try answer(other, to: request("GET", "/x")).hasSuffix("at once"))
        #expect(try answer(server, to: request("GET", "/x")).hasSuffix("at once"))
        for _ in clients { gate.signal() }
        for client in clients { #expect(client.readText(until: "waited").hasSuffix("waited")) }
    }

    @Test("serves enqueued responses before routes")
    func queue() throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("route") }
        server.enqueue(.text("first"), .status(503))
        server.enqueue(.text("third"))
        let answers = try (0..<4).map { _ in try answer(server, to: request("GET", "/x")) }
        #expect(answers[0].hasSuffix("first"))
        #expect(answers[1].hasPrefix("HTTP/1.1 503"))
        #expect(answers[2].hasSuffix("third"))
        #expect(answers[3].hasSuffix("route"))
    }

    @Test("sends a 100 only to a client that expects it")
    func expectContinue() throws {
        let server = try MockServer()
        server.route(nil, "/x") { .text("got \($0.text)") }
        let client = try RawClient(port: server.port)
        let head =
            "POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        client.send(head)
        #expect(client.readText(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("abc")
        #expect(client.readText(until: "got abc").hasPrefix("HTTP/1.1 200"))
        client.send(head + "def")
        #expect(client.readText(until: "got def").hasPrefix("HTTP/1.1 200"))
    }

    @Test("can respond before the body arrives")
    func beforeBody() async throws {
        let server = try MockServer()
        server.enqueue(.text("too large", status: 413).respondingBeforeBody())
        let client = try RawClient(port: server.port)
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\nabc")
        let answer = client.readText(until: "too large")
        #expect(answer.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        try await server.waitForEvent(.serverClosed)
        #expect(server.requests.isEmpty)
        #expect(server.incompleteRequests.map(\.bodyLength) == [3])
    }

    @Test("keeps or only counts bodies of any size", arguments: [true, false])
    func largeBodies(keepsBodies: Bool) throws {
        let server = try MockServer()
        server.keepsBodies = keepsBodies
        server.route(nil, "/x") { .text("\($0.bodyLength) bytes") }
        let block = Data((0..<1000).map { UInt8($0 / 4) })
        let body = (0..<5000).reduce(into: Data()) { body, _ in body += block }
        let client = try RawClient(port: server.port)
        client.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
        client.send(body)
        #expect(client.readText(until: "bytes").hasSuffix("5000000 bytes"))
        #expect(server.requests.first?.bodyLength == body.count)
        #expect(server.requests.first?.body == (keepsBodies ? body : Data()))
    }

    @Test("counts without recording when recording is off")
    func notRecording() async throws {
        let server = try MockServer()
        server.recordsRequests = false
        server.route(nil, "/x") { .text($0.text) }
        #expect(try answer(server, to: request("POST", "/x", body: "hi")).hasSuffix("hi"))
        #expect(server.requests.isEmpty)
        #expect(server.connectionEvents.isEmpty)
        #expect(server.requestCount == 1)
        #expect(server.acceptedConnectionCount == 1)
        try await server.waitForRequests(1)
        server.recordsRequests = true
        await #expect(throws: MockServerError.self) {
            try await server.waitForRequests(1, timeout: .zero)
        }
    }

    @Test("builds URLs for its own origin")
    func urls() throws {
        let server = try MockServer()
        #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(server.port)")
        let url = server.url("/a%2Fb?x=%20")
        #expect(url.absoluteString == "http://127.0.0.1:\(server.port)/a%2Fb?x=%20")
    }

    @Test("has a port that no earlier server of the process had, unless it is asked for")
    func newPort() throws {
        var ports: Set<Int> = []
        for _ in 0..<1_000 {
            let server = try MockServer()
            ports.insert(server.port)
            server.stop()
        }
        #expect(ports.count == 1_000)
    }

    @Test("fails on a port in use or out of range")
    func portTaken() throws {
        let server = try MockServer()
        #expect(throws: MockServerError.self) { try MockServer(port: server.port) }
        #expect(throws: MockServerError.cannotListen(port: 70_000, reason: "not a port number")) {
            try MockServer(port: 70_000)
        }
        let port = server.port
        server.stop()
        #expect(try MockServer(port: port).port == port)
    }
}
