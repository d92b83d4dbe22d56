import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// The samples of SwiftConnect's README, adapted only where the article says so.
@available(*, deprecated)
private enum Samples {
    struct Todo: Codable, Hashable, Sendable {
        let id: Int
        let title: String
    }

    enum TodoAction: String, Sendable { case update }

    struct UpdateTodoRequest: Request {
        typealias ResponseObjectType = HTTPResponse
        let path = "/users/{userId}/todos/{todoId}"
        let method: HTTPMethod = .put
        let endpoint: Endpoint?
        @Path("userId") private(set) var userId: Int
        @Path("todoId", encoding: PathEncoding.default) private(set) var todoId: Int
        @Query("action", encoding: URLEncoding(destination: .queryString))
        private(set) var action: TodoAction
        @Object(encoding: JSONEncoding.default) private(set) var todo: Todo

        init(userId: Int, todo: Todo, on endpoint: Endpoint) {
            self.endpoint = endpoint
            self.userId = userId
            self.todoId = todo.id
            self.action = .update
            self.todo = todo
        }
    }

    struct SearchRequest: Request {
        typealias ResponseObjectType = HTTPResponse
        let path = "/todos"
        let endpoint: Endpoint?
        @Query("ids", encoding: URLEncoding(arrayEncoding: .noBrackets)) private(set) var ids: [Int]
        @Query("all", encoding: .default) private(set) var all: Bool
        @Object(encoding: URLEncoding.default) private(set) var filter: [String: String]

        init(on endpoint: Endpoint) {
            self.endpoint = endpoint
            ids = [1, 2]
            all = true
            filter = ["title": "milk"]
        }
    }

    struct UploadRequest: MultipartRequest {
        typealias ResponseObjectType = HTTPResponse
        let path = "/photos"
        let method: HTTPMethod = .post
        let endpoint: Endpoint?
        let authToken: AuthToken? = .bearer(token: "t")
        let files: [any MultipartFile]
    }

    enum TodoModule: Module {
        case update(Todo, on: Endpoint)
        case upload(Data, on: Endpoint)

        var request: any Requestable {
            switch self {
            case .update(let todo, let endpoint):
                UpdateTodoRequest(userId: 1, todo: todo, on: endpoint)
            case .upload(let photo, let endpoint):
                UploadRequest(
                    endpoint: endpoint,
                    files: [File(name: "a.jpg", key: "photo", mimeType: .jpg, data: photo)]
                )
            }
        }
    }
}

@Suite("SwiftConnect samples", .timeLimit(.minutes(15)))
struct SwiftConnectSamples {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/users/1/todos/2") { _ in
            .json(text: #"{"data":{"todo":{"id":2,"title":"milk"},"next":null}}"#)
        }
        server.route(nil, "/todos") { _ in .json(text: "[]") }
        server.route("POST", "/photos") { _ in .json(text: #"{"id":5}"#) }
        server.route(nil, "/slow") { _ in .fault(.stall) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @available(*, deprecated)
    @Test("sends request parameters, and decodes the response at the call site")
    func request() async throws {
        let todo = Samples.Todo(id: 2, title: "milk")
        let request = Samples.UpdateTodoRequest(userId: 1, todo: todo, on: endpoint)
        let response = try await Connect.default.request(request: request, debugResponse: false)
        #expect(try response.decoded(toType: Samples.Todo.self, keyPath: "data.todo") == todo)
        #expect(
            try response.decodedIfPresent(toType: Samples.Todo.self, keyPath: "data.next") == nil
        )
        #expect(try response.decodedIfPresent(toType: Int.self, keyPath: "data.todo.id") == 2)
        #expect(throws: DecodingFailure.self) {
            try response.decodedIfPresent(toType: Int.self, keyPath: "data.todo")
        }
        #expect(response.asDictionary().keys.sorted() == ["data"])
        response.asVoid()
        let node = try JSONDecoder().decode(Int.self, from: response.data, keyPath: "data.todo.id")
        #expect(node == 2)
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/users/1/todos/2?action=update")
        #expect(try sent.json() == todo)
    }

    @available(*, deprecated)
    @Test("encodes the query as SwiftConnect does")
    func encodings() async throws {
        _ = try await Connect.default.request(request: Samples.SearchRequest(on: endpoint))
        #expect(server.requests.first?.target == "/todos?ids=1&ids=2&all=1&title=milk")
    }

    @available(*, deprecated)
    @Test("sends a module's requests and files")
    func module() async throws {
        let connect = Connect(endpoint)
        let todo = Samples.Todo(id: 2, title: "milk")
        let first = Samples.TodoModule.update(todo, on: endpoint)
        _ = try await connect.request(request: first.request)
        let second = Samples.TodoModule.upload(Data([1]), on: endpoint)
        _ = try await connect.request(request: second.request)
        let sent = try #require(server.requests.last)
        #expect(sent.multipart.map(\.name) == ["photo"])
        #expect(sent.multipart.map(\.contentType) == ["image/jpeg"])
        #expect(sent.header("Authorization") == "Bearer t")
    }

    @available(*, deprecated)
    @Test("creates, executes and cancels a task")
    func task() async throws {
        let connect = Connect(endpoint)
        let request = DefaultRequest<Empty, ServerMessage>(path: "photos", method: .post)
        var task: DataTask<Data>?
        task = connect.makeDataTask(request: request)
        #expect(try await connect.execute(task: #require(task)).statusCode == 200)
        let slow = connect.makeUploadTask(
            request: DefaultRequest<Empty, ServerMessage>(path: "slow")
        )
        slow.cancel()
        connect.cancelAllRequests()
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await connect.execute(task: slow)
        }
    }

    @available(*, deprecated)
    @Test("has short names for media types")
    func mimeTypes() {
        let types: [MimeType] = [.jpg, .png, .gif, .tiff, .mp4, .mov, .pdf]
        #expect(
            types.map(\.rawValue) == [
                "image/jpeg", "image/png", "image/gif", "image/tiff", "video/mp4",
                "video/quicktime", "application/pdf",
            ]
        )
    }
}
