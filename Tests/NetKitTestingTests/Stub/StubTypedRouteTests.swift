import Foundation
import NetKit
import NetKitTesting
import Testing

private typealias EnvelopedBird = DefaultRequest<Bird, NestError>

@Suite("Typed stub routes", .timeLimit(.minutes(15)))
struct StubTypedRouteTests {
    private let stub = StubTransport()

    @Test(
        "puts a value or an error at the request's key path",
        arguments: ["data", "data/birds/0", "/", "", "a~1b/\"c\""]
    )
    func keyPaths(path: String) async throws {
        let converter = KeyPathResponseConverter(path: path)
        let birds = EnvelopedBird(path: "birds", responseConverter: converter)
        let text = TextRequest(path: "text", responseConverter: converter)
        let gone = EnvelopedBird(path: "gone", errorConverter: converter)
        stub.on(birds, reply: Bird(name: "wren"))
        stub.on(text, reply: "\"zwitscher\" äöü")
        stub.on(gone, error: NestError(message: "flown"), status: 410)
        let endpoint = try endpoint(over: stub)
        #expect(try await endpoint.value(for: birds).name == "wren")
        #expect(try await endpoint.value(for: text) == "\"zwitscher\" äöü")
        guard case .failure(.server(let error, _)) = await endpoint.outcome(of: gone) else {
            Issue.record("not the server's error")
            return
        }
        #expect(error.message == "flown")
    }

    @Test("uses a method that is a text, and converters that aren't Optional")
    func declarations() async throws {
        struct Report: Request {
            typealias ResponseObjectType = Bird
            typealias ErrorType = NestError
            var path = "reports"
            let method = "REPORT"
            let responseConverter = KeyPathResponseConverter(path: "data")
            let errorConverter = KeyPathResponseConverter(path: "error")
        }
        struct Silence: Request {
            typealias ResponseObjectType = Void
            let path = "silence"
            let method = "PUT"
        }
        let gone = Report(path: "gone")
        stub.on(Report(), reply: Bird(name: "wren"))
        stub.on(gone, error: NestError(message: "flown"), status: 410)
        stub.on(Silence())
        let endpoint = try endpoint(over: stub)
        #expect(try await endpoint.value(for: Report()).name == "wren")
        guard case .failure(.server(let error, _)) = await endpoint.outcome(of: gone) else {
            Issue.record("not the server's error")
            return
        }
        #expect(error.message == "flown")
        try await endpoint.value(for: Silence())
        #expect(stub.requests.map(\.method) == [.custom("REPORT"), .custom("REPORT"), .put])
    }

    @Test("takes a method for the one that is sent")
    func sentMethod() async throws {
        struct Order: Request {
            typealias ResponseObjectType = Void
            let path = "orders"
            let method: String
        }
        let endpoint = try endpoint(over: stub)
        for (method, sent) in [("post", HTTPMethod.post), ("purge", "purge")] {
            stub.on(Order(method: method))
            try await endpoint.value(for: Order(method: method))
            #expect(stub.requests.last?.method == sent)
            #expect(stub.requests(.custom(method), "orders").count == 1)
        }
    }

    @Test("sends no bytes for nil, whatever the converter", arguments: [nil, "data"] as [String?])
    func noBytes(path: String?) async throws {
        let request = DefaultRequest<Data?, NestError>(
            path: "bytes",
            responseConverter: path.map { KeyPathResponseConverter(path: $0) }
        )
        stub.on(request, reply: nil)
        let bytes = try await endpoint(over: stub).value(for: request)
        #expect(bytes == nil)
    }

    @Test("fails by name for an unknown converter")
    func converters() async throws {
        let converter = ClosureResponseConverter { $0 }
        let birds = EnvelopedBird(path: "birds", responseConverter: converter)
        let gone = EnvelopedBird(path: "gone", errorConverter: converter)
        let bytes = BytesRequest(
            path: "bytes",
            responseConverter: KeyPathResponseConverter(path: "data")
        )
        stub.on(birds, reply: Bird(name: "wren"))
        stub.on(gone, error: NestError(message: "flown"), status: 410)
        stub.on(bytes, reply: Data([1]))
        let endpoint = try endpoint(over: stub)
        for error in [
            await endpoint.transportError(of: birds), await endpoint.transportError(of: gone),
        ] {
            let cause = try #require(error?.underlying as? UnknownConversion)
            #expect(cause.converter == "ClosureResponseConverter")
            #expect(error?.message == cause.description)
            #expect(cause.description.contains("ClosureResponseConverter"))
        }
        let cause = await endpoint.transportError(of: bytes)?.underlying
        #expect((cause as? UnknownConversion)?.converter == "KeyPathResponseConverter")
    }

    @Test("fails by name for a custom response decoding")
    func decodings() async throws {
        struct Feed: Request {
            typealias ResponseObjectType = Bird
            typealias ErrorType = NestError
            let path = "feed"
            let responseDecoding = ResponseDecoding<Bird>(accept: "application/xml") { _, _ in
                Bird(name: "")
            }
        }
        stub.on(Feed(), reply: Bird(name: "wren"))
        let cause = try await endpoint(over: stub).transportError(of: Feed())?.underlying
        #expect((cause as? UnknownConversion)?.converter == "a decoding of application/xml")
    }

    @Test("stands for the segments of a parameter with several")
    func segments() async throws {
        struct File: Request {
            typealias ResponseObjectType = String
            let path = "contents/{file}/raw"
            @Path("file", encoding: .segments) var file = ""
        }
        let route = stub.on(File(file: "any"), reply: "text")
        let endpoint = try endpoint(over: stub)
        #expect(try await endpoint.value(for: File(file: "a/b c/d")) == "text")
        #expect(stub.requests(of: route).first?.parameters == ["file": "a/b c/d"])
    }

    @Test(
        "stands for a parameter of any pattern, also beside a number sign",
        arguments: [
            ("users/##id##/{userID}", "##key##"), ("users/<id>/{userID}", "<key>"),
            ("{userID}/v:id/x", ":key"), ("{userID}/ID", "ID"), ("C#/{userID}/{id}", "{key}"),
        ]
    )
    func patterns(path: String, pattern: String) async throws {
        struct Get: Request {
            typealias ResponseObjectType = String
            let path: String
            @Path("userID") var userID = "ann"
            @Path<String> var id: String

            init(_ path: String, _ pattern: String) {
                self.path = path
                _id = Path(wrappedValue: "a b", "id", encoding: PathEncoding(pattern: pattern))
            }
        }
        let route = stub.on(Get(path, pattern), reply: "text")
        #expect(try await endpoint(over: stub).value(for: Get(path, pattern)) == "text")
        #expect(stub.requests(of: route).first?.parameters == ["id": "a b", "userID": "ann"])
    }

    @Test("prefers the route of a request's own path values")
    func pathValues() async throws {
        let endpoint = try endpoint(over: stub)
        func name(_ asked: String) async throws -> String {
            try await endpoint.value(for: BirdRequest(asked)).name
        }
        stub.on(EnvelopedBird(path: "birds/all"), reply: Bird(name: "all"))
        stub.on(BirdRequest("wren"), reply: Bird(name: "first"))
        stub.on(BirdRequest("wren"), reply: Bird(name: "wren"))
        stub.on(BirdRequest("a b/{ü}"), reply: Bird(name: "odd"))
        stub.on(BirdRequest("owl"), reply: Bird(name: "owl"))
        for asked in ["wren", "owl", "all"] { #expect(try await name(asked) == asked) }
        #expect(try await name("a b/{ü}") == "odd")
        #expect(try await name("another") == "owl")

        stub.on(.get, "/birds/{name}") { _ in .json(Bird(name: "any")) }
        #expect(try await name("wren") == "any")
        stub.on(BirdRequest("owl"), error: NestError(message: "flown"), status: 410)
        guard case .failure(.server) = await endpoint.outcome(of: BirdRequest("wren")) else {
            Issue.record("not the last route")
            return
        }
    }

    @Test("ignores the query in a request's path")
    func queries() async throws {
        stub.on(TextRequest(path: "login?token=a"), reply: "in")
        stub.on(SilentRequest(path: "logout?token=a"))
        stub.on(
            EnvelopedBird(path: "birds?page=1#top"),
            error: NestError(message: "none"),
            status: 404
        )
        let endpoint = try endpoint(over: stub)
        #expect(try await endpoint.value(for: TextRequest(path: "login?token=b")) == "in")
        try await endpoint.value(for: SilentRequest(path: "logout"))
        guard
            case .failure(.server(let error, _)) = await endpoint.outcome(
                of: EnvelopedBird(path: "birds?page=2")
            )
        else {
            Issue.record("not the server's error")
            return
        }
        #expect(error.message == "none")
    }
}
