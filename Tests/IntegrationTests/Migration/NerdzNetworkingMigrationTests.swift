import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What NerdzNetworking's documentation shows, as NetKit has it.
@Suite("Migrating from NerdzNetworking", .timeLimit(.minutes(1)))
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
        let timeout: TimeInterval? = 60
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
        endpoint = Endpoint(baseURL: server.baseURL, headers: [.accept: "application/json"])
    }

    @Test("a request type is executed with closures in a chain")
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

    @Test("an inline request has a key path converter")
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

    @Test("files are uploaded with their parameters")
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

    @Test("an operation is cancelled")
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
    @Test("the old spellings still work")
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
