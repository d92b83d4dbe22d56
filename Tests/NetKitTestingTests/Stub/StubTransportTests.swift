import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("StubTransport", .timeLimit(.minutes(15)))
struct StubTransportTests {
    @Test("responds with values that the client decodes")
    func values() async throws {
        let stub = StubTransport()
        stub.on(.get, "/birds/{name}") { request in
            .json(Bird(name: try request.parameter("name")))
        }
        let endpoint = try endpoint(over: stub)
        #expect(
            try await endpoint.value(for: BirdRequest("wren & dunnock")).name == "wren & dunnock"
        )
        try stub.checkAllUsed()
    }

    @Test("encodes values for the client's decoder")
    func coders() async throws {
        let bird = Bird(name: "wren", hatchedAt: Date(timeIntervalSince1970: 86_400))
        for (encoder, decoder) in [
            (nil, nil), (JSONEncoder.snakeCaseISO8601, JSONDecoder.snakeCaseISO8601),
        ] {
            let stub = StubTransport(encoder: encoder)
            stub.on(BirdRequest("any"), reply: bird)
            let endpoint = try endpoint(over: stub)
            endpoint.decoder = decoder
            let response = try await endpoint.response(for: BirdRequest("wren"))
            #expect(response.value == bird)
            #expect(response.http.text.contains("hatched_at") == (encoder != nil))
        }
    }

    @Test("responds to a request type with a value, an error, text, bytes or nothing")
    func types() async throws {
        let stub = StubTransport(basePath: "/api/v2")
        stub.on(BirdRequest("any"), error: NestError(message: "flown"), status: 410)
        stub.on(HatchRequest(Bird(name: "any")), reply: Bird(name: "chick"), status: 201)
        stub.on(TextRequest(path: "text"), reply: "äöü")
        stub.on(BytesRequest(path: "bytes"), reply: Data([0, 255]))
        stub.on(SilentRequest(path: "nothing", method: .delete))
        let endpoint = try endpoint(over: stub, path: "/api/v2/")
        let hatched = try await endpoint.response(for: HatchRequest(Bird(name: "egg")))
        #expect(hatched.value.name == "chick")
        #expect(hatched.http.status == 201)
        guard
            case .failure(.server(let error, let http)) = await endpoint.outcome(
                of: BirdRequest("x")
            )
        else {
            Issue.record("not the server's error")
            return
        }
        #expect(error.message == "flown")
        #expect(http.status == 410)
        #expect(try await endpoint.value(for: TextRequest(path: "text")) == "äöü")
        #expect(try await endpoint.value(for: BytesRequest(path: "bytes")) == Data([0, 255]))
        try await endpoint.value(for: SilentRequest(path: "nothing", method: .delete))
        try stub.checkAllUsed()
    }

    @Test("records method, path, query, fields and body")
    func records() async throws {
        let stub = StubTransport()
        let route = stub.on(.post, "birds") { request in
            .json(try request.json(as: Bird.self)).status(201)
        }
        stub.on(nil, "/files/*") { .text($0.path) }
        let endpoint = try endpoint(over: stub)
        endpoint.headers["X-Nest"] = "7"
        _ = try await endpoint.value(for: HatchRequest(Bird(name: "wren")))
        let text = TextRequest(path: "files/a/b", queryParams: [("q", "a b"), ("q", "ü")])
        #expect(try await endpoint.value(for: text) == "/files/a/b")

        let hatch = try #require(stub.requests(of: route).first)
        #expect(hatch.method == .post)
        #expect(hatch.path == "/birds")
        #expect(hatch.headers["x-nest"] == "7")
        #expect(hatch.headers[.contentType] == "application/json")
        #expect(try hatch.json(as: Bird.self).name == "wren")
        #expect(hatch.bodyLength == 15)
        let file = try #require(stub.requests(.get, "/files/*").first)
        #expect(file.query.map(\.value) == ["a b", "ü"])
        #expect(stub.requests.map(\.number) == [1, 2])
    }

    @Test("prefers the last added route within its limit, and matches queries")
    func precedence() async throws {
        let stub = StubTransport()
        stub.on(.get, "/a") { _ in .text("first") }
        stub.on(.get, "/a", atMost: 1) { _ in .text("once") }
        stub.on(.get, "/a?page=2") { _ in .text("page 2") }
        stub.on(.get, "https://elsewhere.invalid/a") { _ in .text("elsewhere") }
        let endpoint = try endpoint(over: stub)
        let asked = ["a", "a", "a?x=1&page=2", "https://elsewhere.invalid/a"]
        var answers: [String] = []
        for path in asked { answers.append(try await endpoint.value(for: TextRequest(path: path))) }
        #expect(answers == ["once", "first", "page 2", "elsewhere"])
        try stub.checkAllUsed()
    }

    @Test("sends a sequence of replies across retries, and repeats the last one")
    func sequence() async throws {
        let stub = StubTransport()
        stub.on(
            .get,
            "/birds/{name}",
            replies: .status(503),
            .failure(.connectionLost),
            .json(Bird(name: "wren"))
        )
        let endpoint = try endpoint(over: stub, retryingCount: 2)
        endpoint.retryPolicy.backoff = .none
        #expect(try await endpoint.response(for: BirdRequest("wren")).attempts == 3)
        #expect(try await endpoint.response(for: BirdRequest("wren")).attempts == 1)
        #expect(stub.requests.map(\.occurrence) == [1, 2, 3, 4])
        #expect(stub.unusedStubs.isEmpty)
    }

    @Test("replaces a reply's field of the same name, without a change to earlier copies")
    func fields() async throws {
        let base = StubReply.status(200).header("X-A", "1").header("X-B", "1")
        let replies = [base.header("x-a", "2"), base.header("X-C", "3"), base]
        let stub = StubTransport()
        for (index, reply) in replies.enumerated() { stub.on(.get, "/\(index)") { _ in reply } }
        let endpoint = try endpoint(over: stub)
        let expected = [["2", "1", nil], ["1", "1", "3"], ["1", "1", nil]]
        for (index, values) in expected.enumerated() {
            let headers = try await endpoint.response(for: PlainRequest(path: "\(index)")).headers
            #expect(["X-A", "X-B", "X-C"].map { headers[HTTPHeaderName($0)] } == values)
        }
        var reply = StubReply.status(200)
        for number in 0..<1_000 { reply = reply.header(HTTPHeaderName("X-\(number)"), "1") }
        stub.on(.get, "/many") { [reply] _ in reply }
        let many = try await endpoint.response(for: PlainRequest(path: "many")).headers
        #expect(many["X-999"] == "1")
    }

    private struct PlainRequest: Request {
        typealias ResponseObjectType = Void
        let path: String
    }

    @Test("follows redirects and handles challenges like a server")
    func throughNetKit() async throws {
        let stub = StubTransport()
        stub.on(.get, "/old") { _ in .redirect(to: "/new") }
        stub.on(.get, "/new") { request in
            request.headers[.authorization] == nil
                ? .status(401).header("WWW-Authenticate", "Basic realm=\"nest\"") : .text("in")
        }
        let endpoint = try endpoint(over: stub)
        endpoint.authentication = BasicAuthentication(username: "u", password: "p")
        #expect(try await endpoint.value(for: TextRequest(path: "old")) == "in")
        #expect(stub.requests.contains { $0.headers[.authorization] == "Basic dTpw" })
    }

    @Test("names the nearest routes for an unmatched request")
    func unmatched() async throws {
        let stub = StubTransport()
        stub.on(.get, "/birds/{name}") { _ in .status(200) }
        stub.on(.post, "/birds") { _ in .status(200) }
        stub.on(.get, "/completely/other/things/here") { _ in .status(200) }
        let endpoint = try endpoint(over: stub)
        let error = await endpoint.transportError(of: TextRequest(path: "bird/x?token=s3cret"))
        #expect(error?.kind == .other)
        let cause = try #require(error?.underlying as? UnmatchedRequest)
        #expect(cause.request == "GET https://nest.invalid/bird/x?token")
        #expect(cause.nearest.first?.path == "/birds/{name}")
        #expect(try #require(error).message == cause.description)
        #expect(!cause.description.contains("s3cret"))
        #expect(cause.nearest.first?.fileID.hasSuffix("StubTransportTests.swift") == true)

        let failure = #expect(throws: StubError.self) { try stub.checkAllUsed() }
        #expect(failure?.unused.count == 3)
        #expect(failure?.unmatched == ["GET https://nest.invalid/bird/x?token"])
    }

    @Test("says why a route of the same path doesn't answer")
    func obstacles() async throws {
        let stub = StubTransport()
        stub.on(.get, "/birds/{name}", atMost: 0) { _ in .status(200) }
        stub.on(.get, "/songs?page=1&q={q}") { _ in .status(200) }
        let endpoint = try endpoint(over: stub)
        func message(_ path: String) async -> String {
            await endpoint.transportError(of: TextRequest(path: path))?.message ?? ""
        }
        #expect(await message("birds/wren").contains("), which has reached its limit"))
        for (path, name) in [
            ("songs?page=2&q=a", "page"), ("songs?page=1", "q"), ("songs", "page"),
        ] {
            #expect(await message(path).contains("), which needs its query item \"\(name)\""))
        }
        let based = StubTransport()
        based.on(.get, "/birds/{name}?page={page}") { _ in .status(200) }
        let below = try NetKitTestingTests.endpoint(over: based, path: "/a%20b/v1")
        let error = await below.transportError(of: TextRequest(path: "birds/wren?page=1"))
        #expect(error?.message.hasSuffix("make a StubTransport(basePath: \"/a%20b/v1\")") == true)
    }

    @Test("fails with a reply's failure or a closure's error")
    func failures() async throws {
        struct Broken: Error {}
        let stub = StubTransport()
        stub.on(.get, "/a") { _ in .failure(.cannotFindHost) }
        stub.on(.get, "/b") { _ in throw TransportError(.secureConnection) }
        stub.on(.get, "/c") { _ in throw Broken() }
        stub.on(.get, "/d") { _ in .json(Double.nan) }
        stub.on(.get, "/e/{id}") { .text("\(try $0.parameter("id", as: Int.self))") }
        let endpoint = try endpoint(over: stub)
        var errors: [TransportError] = []
        for path in ["a", "b", "c", "d", "e/x"] {
            errors.append(try #require(await endpoint.transportError(of: TextRequest(path: path))))
        }
        #expect(errors.map(\.kind) == [.cannotFindHost, .secureConnection, .other, .other, .other])
        #expect(errors[2].underlying is Broken)
        #expect(errors[3].underlying is EncodingError)
        let parameter = try #require(errors[4].underlying as? UnreadableParameter)
        #expect("\(parameter)" == "{id} is \"x\", which isn't a valid Int")
        #expect(errors[2].message.hasSuffix("the transport failed: Broken"))
        #expect(errors[4].message.hasSuffix("\(parameter)"))
    }

    @Test("has no requests of another transport's route")
    func foreignRoute() async throws {
        let (stub, other) = (StubTransport(), StubTransport())
        let route = stub.on(.get, "/*") { _ in .text("own") }
        let foreign = other.on(.get, "/*") { _ in .text("other") }
        #expect(try await endpoint(over: stub).value(for: TextRequest(path: "a")) == "own")
        #expect(stub.requests(of: route).count == 1)
        #expect(stub.requests(of: foreign).isEmpty)
    }

    @Test("doesn't interfere with stubs running at the same time")
    func parallel() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let stub = StubTransport()
                    stub.on(BirdRequest("any"), reply: Bird(name: "\(number)"))
                    let endpoint = try endpoint(over: stub)
                    for _ in 0..<4 {
                        let bird = try await endpoint.value(for: BirdRequest("x"))
                        #expect(bird.name == "\(number)")
                    }
                    #expect(stub.requests.count == 4)
                }
            }
            try await group.waitForAll()
        }
    }
}
