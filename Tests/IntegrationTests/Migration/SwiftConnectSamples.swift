import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// The samples of SwiftConnect's documentation: `Request` is `ConnectRequest`, and the base URL is a server's.
@available(*, deprecated)
private enum Samples {
    struct Todo: Codable, Hashable, Sendable {
        let title: String
        let isCompleted: Bool
    }

    enum TodoAction: String { case update }

    struct GetTodoRequest: ConnectRequest {
        let baseURL: URL
        let endpoint = "/todos/{id}"
        let method: HTTPMethod = .get

        @Path("id") private(set) var todoId: Int

        init(todoId: Int, at baseURL: URL) {
            self.baseURL = baseURL
            self.todoId = todoId
        }
    }

    struct UpdateTodoRequest: ConnectRequest {
        let baseURL: URL
        let endpoint = "/users/{userId}/todos/{todoId}"
        let method: HTTPMethod = .put

        @Path("userId") private(set) var userId: Int
        @Path("todoId", encoding: PathEncoding.default) private(set) var todoId: Int
        @Query("action", encoding: URLEncoding(destination: .queryString))
        private(set) var action: TodoAction
        @Object(encoding: JSONEncoding.default) private(set) var todo: Todo

        init(userId: Int, todoId: Int, action: TodoAction, todo: Todo, at baseURL: URL) {
            self.baseURL = baseURL
            self.userId = userId
            self.todoId = todoId
            self.action = action
            self.todo = todo
        }
    }

    /// What the documentation says of each wrapper.
    struct SearchRequest: ConnectRequest {
        let baseURL: URL
        let endpoint = "/users/##user##/todos"
        let method: HTTPMethod
        @Path("user", encoding: PathEncoding(pattern: "##key##")) private(set) var user: String
        @Query("ids", encoding: URLEncoding(arrayEncoding: .noBrackets)) private(set) var ids: [Int]
        @Query("all", encoding: .default) private(set) var all: Bool
        @Header("X-Key") private(set) var key: String

        init(_ method: HTTPMethod, at baseURL: URL) {
            self.baseURL = baseURL
            self.method = method
            user = "a/b"
            ids = [1, 2]
            all = true
        }

        mutating func sign(_ key: String) { self.key = key }
    }

    struct Login: Encodable {
        let userName: String
        let roles: [String]
        let remember: Bool
    }

    struct ObjectRequest: ConnectRequest {
        let baseURL: URL
        let endpoint: String = ""
        let method: HTTPMethod
        @Object private(set) var login: Login

        init(_ method: HTTPMethod, _ encoding: URLEncoding, at baseURL: URL) {
            self.baseURL = baseURL
            self.method = method
            _login = Object(encoder: .snakeCaseEncoder, encoding: encoding)
            login = Login(userName: "ada", roles: ["a", "b"], remember: true)
        }
    }

    struct RawRequest: ConnectRequest {
        let baseURL: URL
        let endpoint = "raw"
        let method: HTTPMethod = .post
        @RawData private(set) var bytes: Data
        @Object(encoding: JSONEncoding.default) private(set) var login: Login

        init(_ bytes: Data, at baseURL: URL) {
            self.baseURL = baseURL
            self.bytes = bytes
            login = Login(userName: "", roles: [], remember: false)
        }
    }

    struct Mine: ConnectRequest, AuthorizedRequest {
        let baseURL: URL
        let endpoint = "mine"
        let method: HTTPMethod = .get
        let authorizationToken: AuthorizationToken?
    }

    struct CreatePost: MultipartRequest {
        let baseURL: URL
        let endpoint: String = "/posts"
        let method: HTTPMethod = .post
        let files: [File]
        @Object(encoding: JSONEncoding.default) private(set) var todo: Todo

        init(files: [File], todo: Todo, at baseURL: URL) {
            self.baseURL = baseURL
            self.files = files
            self.todo = todo
        }
    }

    struct Placed: ConnectRequest {
        let baseURL: URL
        let endpoint: String = "/posts"
        let method: HTTPMethod = .post
        @Object private(set) var flags: [String: Bool]

        init(baseURL: URL, _ destination: URLEncoding.Destination) {
            self.baseURL = baseURL
            _flags = Object(encoding: URLEncoding(destination: destination))
            flags = ["pinned": true]
        }
    }

    /// The types of SwiftConnect's `parameters`: its own, and the one that is `Sendable`.
    struct TitledPost: MultipartRequest {
        let baseURL: URL
        let endpoint: String = "/posts"
        let method: HTTPMethod = .post
        let files: [File] = []
        var parameters: [String: Any] { ["title": "T", "count": 2, "pinned": true] }
    }

    struct TaggedPost: MultipartRequest {
        let baseURL: URL
        let endpoint: String = "/posts"
        let method: HTTPMethod = .post
        let files: [File] = []
        let parameters: [String: any Sendable] = ["tag": HTTPMethod.get]
    }

    enum TodoModule: Module {
        case get(id: Int, at: URL)
        case create(files: [File], todo: Todo, at: URL)

        var request: any Requestable {
            switch self {
            case .get(let id, let baseURL):
                return GetTodoRequest(todoId: id, at: baseURL)
            case .create(let files, let todo, let baseURL):
                return CreatePost(files: files, todo: todo, at: baseURL)
            }
        }
    }

    struct At: ConnectRequest {
        var baseURL: URL
        var endpoint: String
    }

    /// A base URL that was left over when the request became one of NetKit.
    struct Left: Request {
        typealias ResponseObjectType = Todo
        let baseURL: URL
        let path = "/todos/{id}"
        @Path("id") var id = 1
    }

    /// An endpoint that was left over.
    struct LeftBoth: Request {
        typealias ResponseObjectType = Todo
        let baseURL: URL
        let endpoint = "/todos/1"
        let path = "/other"
    }
}

extension MimeType {
    fileprivate static let myAwesomeType = MimeType(rawValue: "awesome/type")
}

@Suite("SwiftConnect samples", .timeLimit(.minutes(15)))
struct SwiftConnectSamples {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/*") { _ in
            .json(text: #"{"title":"milk","isCompleted":true,"next":null,"id":5}"#)
        }
        server.route(nil, "/slow") { _ in .fault(.stall) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @available(*, deprecated)
    private var todo: Samples.Todo { Samples.Todo(title: "milk", isCompleted: true) }

    @available(*, deprecated)
    @Test("sends a request to its own base URL, without any endpoint")
    func request() async throws {
        let get = Samples.GetTodoRequest(todoId: 123, at: server.baseURL)
        let todo = try await Connect().request(request: get).decoded(toType: Samples.Todo.self)
        #expect(todo == self.todo)
        #expect(server.requests.map(\.target) == ["/todos/123"])
        #expect(server.requests.first?.method == .get)
    }

    @available(*, deprecated)
    @Test("joins base URL and endpoint as SwiftConnect does")
    func join() throws {
        let cases: [(base: String, endpoint: String, joined: String)] = [
            ("https://h.test", "/todos", "https://h.test/todos"),
            ("https://h.test/", "todos", "https://h.test/todos"),
            ("https://h.test/api", "/todos/{id}?a=b", "https://h.test/api/todos/{id}?a=b"),
            ("https://h.test/api/", "", "https://h.test/api/"),
            ("https://h.test/api?k=v", "todos", "https://h.test/api/todos?k=v"),
            ("https://h.test/api#top?k", "todos", "https://h.test/api/todos"),
            ("https://h.test/api?k=v", "todos?a=b", "https://h.test/api/todos?a=b&k=v"),
        ]
        for (base, path, joined) in cases {
            let request = Samples.At(baseURL: try #require(URL(string: base)), endpoint: path)
            #expect(request.path == joined)
        }
    }

    @available(*, deprecated)
    @Test("sends an endpoint's token to its own origin only")
    func origins() async throws {
        let other = try MockServer()
        other.route(nil, "/*") { _ in .status(204) }
        endpoint.headers.authToken = .bearer("t")
        endpoint.queryParams = [("lang", "en")]
        let connect = Connect(endpoint)
        for place in [server, other] {
            try await connect.request(
                request: Samples.At(baseURL: place.baseURL, endpoint: "/todos")
            )
        }
        #expect(server.requests.map(\.target) == ["/todos?lang=en"])
        #expect(server.requests.first?.header("Authorization") == "Bearer t")
        #expect(other.requests.map(\.target) == ["/todos"])
        #expect(other.requests.first?.header("Authorization") == nil)
    }

    @available(*, deprecated)
    @Test("refuses a base URL without http, and one or an endpoint that is left over")
    func refused() async throws {
        let connect = Connect(endpoint)
        for base in ["h.test", "/api", "ftp://h.test", "http:"] {
            let request = Samples.At(baseURL: try #require(URL(string: base)), endpoint: "/todos")
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await connect.request(request: request)
            }
            guard case .invalidRequest(let refusal) = error, case .invalidURL = refusal.reason
            else {
                Issue.record("\(base): \(String(describing: error))")
                continue
            }
        }
        let left = await Samples.Left(baseURL: server.baseURL).execute(on: endpoint).failure
        #expect(left?.message.contains("\"baseURL\" would be ignored") == true)
        let both = await Samples.LeftBoth(baseURL: server.baseURL).execute(on: endpoint).failure
        #expect(both?.message.contains("\"endpoint\" would be ignored") == true)
        #expect(server.requests.isEmpty)
    }

    @available(*, deprecated)
    @Test("sends path and query parameters beside a JSON object")
    func update() async throws {
        let request = Samples.UpdateTodoRequest(
            userId: 123,
            todoId: 1234,
            action: .update,
            todo: todo,
            at: server.baseURL
        )
        let response = try await Connect.default.request(request: request, debugResponse: false)
        #expect(response.statusCode == 200)
        let sent = try #require(server.requests.first)
        #expect(sent.method == .put)
        #expect(sent.target == "/users/123/todos/1234?action=update")
        #expect(sent.header("Content-Type") == "application/json")
        #expect(try sent.json() == todo)
    }

    @available(*, deprecated)
    @Test("keeps a @Query in the query for every method, and refuses a @Header without a value")
    func wrappers() async throws {
        for method in [HTTPMethod.get, .post] {
            var request = Samples.SearchRequest(method, at: server.baseURL)
            let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await Connect(endpoint).request(request: request)
            }
            guard case .invalidRequest(let refusal) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal.reason == .unsetParameter("X-Key"))
            request.sign("k")
            try await Connect(endpoint).request(request: request)
            let sent = try #require(server.requests.last)
            #expect(sent.method == method)
            #expect(sent.target == "/users/a%2Fb/todos?ids=1&ids=2&all=1")
            #expect(sent.header("X-Key") == "k")
            #expect(sent.body.isEmpty)
        }
        #expect(server.requests.count == 2)
    }

    @available(*, deprecated)
    @Test("sends an object with a URL encoding as the query or the form, by method")
    func forms() async throws {
        let fields = "user_name=ada&roles%5B%5D=a&roles%5B%5D=b&remember=1"
        let repeated = "user_name=ada&roles=a&roles=b&remember=true"
        let own = URLEncoding(arrayEncoding: .noBrackets, boolEncoding: .literal)
        let query = URLEncoding(destination: .queryString)
        let cases: [(HTTPMethod, URLEncoding, query: String?, body: String)] = [
            (.get, .default, fields, ""), (.delete, .default, fields, ""),
            (.post, .default, nil, fields), (.put, .default, nil, fields),
            (.patch, own, nil, repeated), (.get, own, repeated, ""),
            (.post, query, fields, ""), (.get, query, fields, ""),
        ]
        for (method, encoding, query, body) in cases {
            let request = Samples.ObjectRequest(method, encoding, at: server.url("/login"))
            try await Connect(endpoint).request(request: request)
            let sent = try #require(server.requests.last)
            #expect(sent.target == "/login" + (query.map { "?" + $0 } ?? ""), "\(method)")
            #expect(sent.text == body, "\(method)")
            let type = sent.header("Content-Type")
            #expect(type == (body.isEmpty ? nil : "application/x-www-form-urlencoded"))
        }
        try await Connect(endpoint)
            .request(request: Samples.RawRequest(Data([1]), at: server.baseURL))
        #expect(server.requests.last?.body == Data([1]))
    }

    @available(*, deprecated)
    @Test("sends each kind of token, and none for nil")
    func tokens() async throws {
        endpoint.headers.authToken = .bearer("endpoint")
        let tokens: [AuthorizationToken?] = [
            .bearer(token: "t"), .basic(username: "u", password: "p"),
            .custom(key: "X-Key", token: "k"), nil,
        ]
        for token in tokens {
            let mine = Samples.Mine(baseURL: server.baseURL, authorizationToken: token)
            try await Connect(endpoint).request(request: mine)
        }
        let sent = server.requests
        #expect(
            sent.map { $0.header("Authorization") } == ["Bearer t", "Basic dTpw", nil, nil]
        )
        #expect(sent.map { $0.header("X-Key") } == [nil, nil, "k", nil])
    }

    @available(*, deprecated)
    @Test("sends a module's requests, with the object before the files")
    func module() async throws {
        let connect = Connect(endpoint)
        let get = Samples.TodoModule.get(id: 7, at: server.baseURL).request
        try await connect.request(request: get)
        let files = [
            File(name: "a.jpg", key: "photo", mimeType: .jpg, data: Data([1])),
            File(name: "b", key: "other", mimeType: .myAwesomeType, data: Data([2])),
        ]
        let create = Samples.TodoModule.create(files: files, todo: todo, at: server.baseURL)
        try await connect.request(request: create.request)
        let post = Samples.CreatePost(files: files, todo: todo, at: server.baseURL)
        try await connect.request(multipartRequest: post)
        #expect(server.requests.map(\.target) == ["/todos/7", "/posts", "/posts"])
        for sent in server.requests.dropFirst() {
            let parts = sent.multipart
            #expect(parts.map(\.name) == ["isCompleted", "title", "photo", "other"])
            #expect(parts.map(\.fileName) == [nil, nil, "a.jpg", "b"])
            #expect(parts.map(\.contentType).suffix(2) == ["image/jpeg", "awesome/type"])
            #expect(parts.map(\.body).suffix(2) == [Data([1]), Data([2])])
        }
    }

    @available(*, deprecated)
    @Test("sends parameters of any type as text parts")
    func parts() async throws {
        let connect = Connect(endpoint)
        try await connect.request(multipartRequest: Samples.TitledPost(baseURL: server.baseURL))
        try await connect.request(multipartRequest: Samples.TaggedPost(baseURL: server.baseURL))
        let parts = server.requests.map {
            $0.multipart.map { [$0.name, String(decoding: $0.body, as: UTF8.self)] }
        }
        #expect(
            parts == [
                [["count", "2"], ["pinned", "true"], ["title", "T"]], [["tag", "GET"]],
            ]
        )
    }

    @available(*, deprecated)
    @Test("sends an object to the destination of its encoding")
    func destinations() async throws {
        let connect = Connect(endpoint)
        for destination in [
            URLEncoding.Destination.queryString, .httpBody, .methodDependent,
        ] {
            let request = Samples.Placed(baseURL: server.baseURL, destination)
            try await connect.request(request: request)
        }
        #expect(server.requests.map { $0.target.contains("?pinned=1") } == [true, false, false])
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                "", "pinned=1", "pinned=1",
            ]
        )
    }

    @available(*, deprecated)
    @Test("keeps SwiftConnect's names of a file's parts")
    func files() {
        let file = File(name: "a.jpg", key: "photo", mimeType: .jpg, data: Data([1]))
        #expect(file.name == "a.jpg" && file.key == "photo")
        #expect(file.mimeType == .jpg && file.data == Data([1]))
    }

    @available(*, deprecated)
    @Test("transforms the response at the call site")
    func transformers() async throws {
        let get = Samples.GetTodoRequest(todoId: 1, at: server.baseURL)
        let response = try await Connect.default.request(request: get)
        #expect(try response.decodedIfPresent(toType: Samples.Todo.self, keyPath: "next") == nil)
        #expect(try response.decodedIfPresent(toType: Int.self, keyPath: "id") == 5)
        #expect(throws: DecodingFailure.self) {
            try response.decodedIfPresent(toType: Int.self, keyPath: "title")
        }
        #expect(response.asDictionary().keys.sorted() == ["id", "isCompleted", "next", "title"])
        response.asVoid()
        #expect(try JSONDecoder().decode(Int.self, from: response.data, keyPath: "id") == 5)
    }

    @available(*, deprecated)
    @Test("creates, executes and cancels a task")
    func task() async throws {
        let connect = Connect(endpoint)
        var task: DataTask<Data>?
        task = connect.makeDataTask(request: Samples.GetTodoRequest(todoId: 1, at: server.baseURL))
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
    @Test("cancels the calls to a base URL of their own, without any endpoint")
    func cancelAll() async throws {
        // In a process of its own: they are the calls of the whole process.
        await #expect(processExitsWith: .success) {
            let server = try MockServer()
            server.route(nil, "/slow") { _ in .fault(.stall) }
            let request = Samples.At(baseURL: server.baseURL, endpoint: "slow")
            let task = Connect.default.makeDataTask(request: request)
            _ = try await server.waitForRequests(1)
            Connect.default.cancelAllRequests()
            #expect(await task.failure?.isCancellation == true)
        }
    }

    @available(*, deprecated)
    @Test("prints a response before the call returns")
    func debugResponse() async throws {
        let printed = try await #require(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let server = try MockServer()
            server.route(nil, "/*") { _ in .json(text: #"{"title":"printed"}"#, status: 404) }
            let request = Samples.At(baseURL: server.baseURL, endpoint: "todos")
            do {
                try await Connect.default.request(request: request, debugResponse: true)
            } catch {
                // A program that ends at once.
                exit(EXIT_SUCCESS)
            }
        }
        let text = String(decoding: printed.standardErrorContent, as: UTF8.self)
        #expect(text.contains(#"{"title":"printed"}"#))
        #expect(text.contains("404"))
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
