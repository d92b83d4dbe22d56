import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What NerdzNetworking's documentation shows, as NetKit has it.
@Suite("Migration from NerdzNetworking", .timeLimit(.minutes(15)))
struct NerdzNetworkingMigrationTests {
    private struct LoginWithFacebookRequest: Request {
        typealias ResponseObjectType = User
        typealias ErrorType = ServerMessage
        let path = "login/facebook"
        let method = HTTPMethod.post
        let queryParams = [("key", "value")]
        let body: RequestBody?
        let headers: HTTPHeaders = [
            RequestHeaderKey("key"): "value", .contentType: "application/json",
        ]
        let timeout: TimeInterval? = 3_600
        init(token: String) { body = .params(["token": token]) }
    }

    private struct Slow: Request {
        typealias ResponseObjectType = Empty
        let path = "slow"
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("POST", "/login/facebook") { _ in .json(text: #"{"id":7}"#) }
        server.route(nil, "/items") { _ in .json(text: #"{"path":{"to":{"node":[{"id":1}]}}}"#) }
        server.route(nil, "/upload") { _ in .json(text: #"{"id":8}"#) }
        server.route(nil, "/slow") { _ in .fault(.stall) }
        endpoint = testEndpoint(baseURL: server.baseURL, headers: [.accept: "application/json"])
    }

    @Test("executes a request type with chained closures")
    func chain() async throws {
        let journal = Journal()
        let queue = DispatchQueue(label: "closures")
        let operation = endpoint.execute(LoginWithFacebookRequest(token: "t"))
            .responseOn(queue)
            .decode(with: JSONDecoder())
            .retryOnFail(false)
            .onStart { _ in journal.note("start") }
            .onDebug { journal.note("debug \($0.request?.httpMethod ?? "")") }
            .onSuccess { journal.note("success \($0.id)") }
            .onFail { journal.note("fail \($0.message)") }
            .onSuccess { _ in journal.end() }
        #expect(try await operation.value == User(id: 7))
        #expect(await journal.entries == ["start", "debug POST", "success 7"])
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/login/facebook?key=value")
        #expect(sent.text == #"{"token":"t"}"#)
        #expect(sent.header("key") == "value")
    }

    @Test("converts an inline request's response by key path")
    func inline() async throws {
        let request = DefaultRequest<[Item], ServerMessage>(
            path: "items",
            method: .get,
            queryParams: [("page", "1")],
            responseConverter: KeyPathResponseConverter(path: "path/to/node")
        )
        #expect(try await endpoint.value(for: request) == [Item(id: 1)])
        let closure = DefaultRequest<[Item], ServerMessage>(
            path: "items",
            responseConverter: ClosureResponseConverter { _ in [["id": 2]] }
        )
        #expect(try await endpoint.value(for: closure) == [Item(id: 2)])
    }

    @Test("uploads files with parameters")
    func multipart() async throws {
        let request = DefaultMultipartFormDataRequest<Item, ServerMessage>(
            path: "upload",
            body: .params(["title": "T"]),
            files: [
                DefaultMultipartFile(
                    resource: Data([1]),
                    mime: .image(.png),
                    name: "file",
                    fileName: "a.png"
                )
            ]
        )
        #expect(try await endpoint.value(for: request) == Item(id: 8))
        #expect(server.requests.first?.multipart.map(\.name) == ["title", "file"])
    }

    /// The three kinds of files: bytes, a URL and a path.
    @Test("uploads a file from data, a URL or a path")
    func fileKinds() async throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("netkit-\(UUID().uuidString).txt")
        try Data("on disk".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = DefaultMultipartFormDataRequest<Item, ServerMessage>(
            path: "upload",
            files: [
                DefaultMultipartFile(
                    resource: Data([7]),
                    mime: .image(.png),
                    name: "a",
                    fileName: "a"
                ),
                DefaultMultipartFile(resource: file, mime: .audio(.mp4), name: "b", fileName: "b"),
                DefaultMultipartFile(
                    resource: file.path,
                    mime: .image(.jpeg),
                    name: "c",
                    fileName: "c"
                ),
            ]
        )
        #expect(try await endpoint.value(for: request) == Item(id: 8))
        let parts = try #require(server.requests.first).multipart
        #expect(parts.map(\.body) == [Data([7]), Data("on disk".utf8), Data("on disk".utf8)])
        #expect(parts.map(\.contentType) == ["image/png", "audio/mp4", "image/jpeg"])
    }

    /// What a response can be without a type of one's own.
    @Test("decodes scalars, text, data, arrays, dictionaries and optionals")
    func mapping() async throws {
        func get<Value: ResponseObject>(_ text: String, as type: Value.Type) async throws -> Value {
            server.route(nil, "/value") { _ in .json(text: text) }
            return try await endpoint.value(
                for: DefaultRequest<Value, ServerMessage>(path: "value")
            )
        }
        #expect(try await get("1.5", as: Double.self) == 1.5)
        #expect(try await get("true", as: Bool.self))
        #expect(try await get("-3", as: Int8.self) == -3)
        #expect(try await get("\"text\"", as: String.self) == "text")
        #expect(try await get("[1]", as: Data.self) == Data("[1]".utf8))
        #expect(try await get("[1,2]", as: [Int].self) == [1, 2])
        #expect(try await get("null", as: Item?.self) == nil)
        #expect(try await get(#"{"a":{"id":1}}"#, as: [String: Item].self) == ["a": Item(id: 1)])
    }

    private struct ConverterRequest: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = ServerMessage
        let path: String
        var responseConverter: (any ResponseJSONConverter)? {
            KeyPathResponseConverter(path: "path/to/object")
        }
        var errorConverter: (any ResponseJSONConverter)? {
            ClosureResponseConverter { json in (json as? [String: Any])?["oops"] ?? json }
        }
    }

    @Test("converts the response and the error")
    func converters() async throws {
        server.route(nil, "/good") { _ in .json(text: #"{"path":{"to":{"object":{"id":3}}}}"#) }
        server.route(nil, "/bad") { _ in
            .json(text: #"{"oops":{"message":"not today"}}"#, status: 422)
        }
        #expect(try await endpoint.value(for: ConverterRequest(path: "good")) == Item(id: 3))
        let error = await CallStyle.callbacks
            .outcome(of: ConverterRequest(path: "bad"), on: endpoint)
            .error
        #expect(error?.statusCode == 422)
        #expect(error?.message == "not today")
    }

    /// A decoder of the response's own, and a mapping of one's own.
    @Test("supports a decoder or a mapping per request")
    func ownMapping() async throws {
        struct Named: ResponseObject, Equatable { let fullName: String }
        server.route(nil, "/named") { _ in .json(text: #"{"full_name":"Ada"}"#) }
        let decoded = DefaultRequest<Named, ServerMessage>(path: "named", decoder: .snakeCase)
        #expect(try await endpoint.value(for: decoded) == Named(fullName: "Ada"))
        let mapped = DefaultRequest<Int, ServerMessage>(
            path: "named",
            responseDecoding: ResponseDecoding { response, _ in response.body.count }
        )
        #expect(try await endpoint.value(for: mapped) == 19)
    }

    @Test("cancels an operation")
    func cancel() async {
        let operation = Slow().execute(on: endpoint)
        operation.cancel()
        guard case .cancelled? = await outcome(of: operation).error else {
            Issue.record("not cancelled")
            return
        }
    }

    // MARK: Old spellings

    @available(*, deprecated)
    private struct First: ResponseJsonConverter {
        func convertedJson(from json: Any) throws -> Any { ["id": 9] }
    }

    @available(*, deprecated)
    @Test("compiles the old names")
    func spellings() async throws {
        let endpoint = Endpoint(baseUrl: server.baseURL, retryingCount: 0)
        #expect(endpoint.baseUrl == server.baseURL)
        #expect(HTTPMethod.path == .patch)
        let request = DefaultRequest<Item, ServerMessage>(path: "items", responseConverter: First())
        #expect(try await endpoint.asyncExecute(request) == Item(id: 9))
        #expect(try await request.asyncExecute(on: endpoint) == Item(id: 9))
        let status: StatusCode = .notFound
        let resource: any MultipartResourceConvertable = Data()
        #expect(status.rawValue == 404)
        #expect(resource is Data)
    }
}
