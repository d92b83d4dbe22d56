import Dispatch
import Foundation
import NetKit
import NetKitCache
import NetKitCookies
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The user code of the contract, word for word.

private struct User: Codable, Sendable, Equatable { let id: Int }
private struct AuthError: ServerError, Decodable { let message: String; let code: Int }

private struct LoginWithFacebookRequest: Request {
    typealias ResponseObjectType = User
    typealias ErrorType = AuthError
    let path = "login/facebook"
    let method: HTTPMethod = .post
    let body: RequestBody?
    init(token: String) { body = .params(["token": token]) }
}
private final class ListRequest: Request {
    typealias ResponseObjectType = [User]
    typealias ErrorType = String?
    let path = "my/path/to/backend"
    let queryParams = [("key", "value")]
    let headers: HTTPHeaders = [RequestHeaderKey("key"): "value", .contentType: "application/json"]
    let timeout: TimeInterval? = 60
    var responseConverter: (any ResponseJSONConverter)? {
        KeyPathResponseConverter(path: "path/to/node")
    }
    var errorConverter: (any ResponseJSONConverter)? { ClosureResponseConverter { $0 } }
}
private struct UpdateTodoRequest: Request {
    typealias ResponseObjectType = Void
    let path = "/users/{userId}/todos/{todoId}"
    let method: HTTPMethod = .put
    @Path("userId") private(set) var userId: Int
    @Path("todoId") private(set) var todoId: Int
    @Query("action") private(set) var action: String?
    @Header("X-Trace") var trace: String?
    @Object(encoding: .json) private(set) var todo: User
    init(userId: Int, todoId: Int, action: String?, todo: User) {
        self.userId = userId
        self.todoId = todoId
        self.action = action
        self.todo = todo
    }
}
private struct AvatarUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = User
    let path = "avatar"
    let method: HTTPMethod = .post
    let files: [any MultipartFile]
}
private struct Settings: Codable, Sendable, Equatable { var theme: String }
private struct SettingsRequest: Request {
    typealias ResponseObjectType = Settings
    let path = "settings"
    let cachePolicy: CachePolicy = .revalidate
    let retryPolicy: RetryPolicy? = .never
    let isAuthenticated = false
}

private func structured(_ endpoint: Endpoint) async -> String {
    endpoint.headers.authToken = .bearer("token")
    do {
        let user = try await endpoint.value(for: LoginWithFacebookRequest(token: "t"))
        return "user \(user.id)"
    } catch {
        switch error {
        case .server(let failure, let response):
            return "server \(failure.code) \(response.statusCode)"
        case .undecodableServerError(let response, _), .decoding(let response, _):
            return "bytes \(response.body.count)"
        case .invalidRequest(let invalid): return "\(invalid.reason)"
        case .timeout(let phase): return "\(phase)"
        case .cancelled: return "cancelled"
        case .transport(let failure): return "\(failure.kind)"
        case .interceptor(let underlying): return "\(underlying)"
        }
    }
}
private func useSecondEdition(_ endpoint: Endpoint, folder: URL) async throws -> String {
    endpoint.cookies = CookieJar()
    endpoint.cache = try .disk(folder)
    let settings: Settings = try await endpoint.get("settings")
    _ = try await endpoint.post("settings", .encodable(settings), as: Settings.self)
    do { return try await endpoint.value(for: SettingsRequest()).theme } catch {
        let general: any CallError = error
        return "\(general.message), \(general.isTransient)"
    }
}

@Suite("Public interface of calls", .timeLimit(.minutes(15)))
struct CallContractTests {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(baseURL: server.baseURL, retryingCount: 0)
        server.route("POST", "/login/facebook") { _ in .json(text: #"{"id":7}"#) }
        server.route("GET", "/my/path/to/backend") { _ in
            .json(text: #"{"path":{"to":{"node":[{"id":1},{"id":2}]}}}"#)
        }
        server.route(nil, "/settings") { _ in .json(text: #"{"theme":"dark"}"#) }
    }

    @Test("chains closures that return the operation")
    func callbacks() async throws {
        let (stream, heard) = AsyncStream<String>.makeStream()
        let operation: RequestExecutionOperation<LoginWithFacebookRequest> =
            LoginWithFacebookRequest(token: "t")
            .execute(on: endpoint)
            .response(on: .global())
            .responseOn(.global())
            .decode(with: JSONDecoder())
            .retryOnFail(false)
            .retryOnFail(0)
            .timeout(after: .seconds(60))
            .timeout(after: 60)
            .onStart { heard.yield("start") }
            .onStart { operation in heard.yield(operation.request.path) }
            .onProgress { (fraction: Double) in if fraction > 1 { heard.yield("too much") } }
            .onSuccess { (user: User) in heard.yield("user \(user.id)") }
            .onFail { (error: ErrorResponse<AuthError>) in heard.yield(error.message) }
            .onDebug { (info: DebugInfo) in heard.yield(info.cURL == nil ? "no command" : "debug") }
        let user: User = try await operation.value
        let response: Response<User> = try await operation.response
        #expect(user == User(id: 7) && response.value == user && response.http.status == 200)
        let (attempts, duration): (Int, Duration) = (response.attempts, response.duration)
        #expect(attempts == 1 && duration > .zero)
        operation.onSuccess { _ in heard.finish() }
        var all: [String] = []
        for await line in stream { all.append(line) }
        #expect(all == ["start", "login/facebook", "debug", "user 7"])
        let other: ExecutionOperation<ListRequest> = endpoint.execute(ListRequest())
        let same: ResponseInfoBuilder<ListRequest> = other
        same.cancel()
        let outcome = await { () async -> Bool in
            do throws(ErrorResponse<String?>) {
                _ = try await other.value
                return false
            } catch {
                return error.isCancellation
            }
        }()
        #expect(outcome)
    }

    @Test("throws one typed error")
    func typed() async throws {
        #expect(await structured(endpoint) == "user 7")
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"message":"no","code":42}"#, status: 403)
        }
        #expect(await structured(endpoint) == "server 42 403")
        server.route("POST", "/login/facebook") { _ in .text("12345", status: 403) }
        #expect(await structured(endpoint) == "bytes 5")
        #expect(server.requests.map { $0.header("Authorization") }.last == "Bearer token")
    }

    @Test("sends the request's values")
    func requests() async throws {
        let users: [User] = try await endpoint.value(for: ListRequest())
        #expect(users == [User(id: 1), User(id: 2)])
        server.route("PUT", "/users/1/todos/2") { _ in .status(204) }
        let update = UpdateTodoRequest(userId: 1, todoId: 2, action: nil, todo: User(id: 3))
        let response: Response<Void> = try await endpoint.response(for: update)
        #expect(response.http.status == 204)
        server.route("POST", "/avatar") { _ in .json(text: #"{"id":9}"#) }
        let file = DefaultMultipartFile(resource: Data([1]), mime: .image(.png), fileName: "me.png")
        #expect(try await AvatarUpload(files: [file]).execute(on: endpoint).value == User(id: 9))
        server.route("DELETE", "/p") { _ in .status(204) }
        let delete = DefaultRequest<Void, String?>(path: "p", method: .delete)
        #expect(try await delete.execute(on: endpoint, retrying: 1).response.attempts == 1)
        let defaulted: Endpoint? = Endpoint.default
        delete.execute(on: defaulted, retrying: 0).cancel()
        #expect(server.requests.prefix(4).map(\.method) == ["GET", "PUT", "POST", "DELETE"])
    }

    @Test("downloads to a file, and streams")
    func transfers() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "netkit-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let download: DownloadRequest<ListRequest> = ListRequest()
            .download(to: file, resuming: false)
        #expect(download.path == "my/path/to/backend")
        let saved: URL = try await download.execute(on: endpoint).value
        #expect(saved == file && FileManager.default.fileExists(atPath: file.path))
        server.route("GET", "/lines") { _ in .text("a\nb\n") }
        let lines: ResponseStream = try await endpoint.stream(
            DefaultRequest<Data, String>(path: "lines")
        )
        let (status, headers): (HTTPStatus, HTTPHeaders) = (lines.status, lines.headers)
        #expect(status == 200 && headers["Content-Type"] != nil)
        var seen: [String] = []
        for try await line in lines.lines { seen.append(line) }
        #expect(seen == ["a", "b"])
        var iterator = try await endpoint.stream(DefaultRequest<Data, String>(path: "lines"))
            .makeAsyncIterator()
        let piece: Data? = try await iterator.next()
        #expect(piece?.first == UInt8(ascii: "a"))
        server.route("GET", "/events") { _ in
            .data(
                Data("event: e\nid: 1\ndata: d\nretry: 5\n\n".utf8),
                contentType: "text/event-stream"
            )
        }
        let events = try await endpoint.stream(DefaultRequest<Data, String>(path: "events"))
        for try await event in events.serverSentEvents {
            let (id, kind, data, retry): (String?, String, String, Duration?) =
                (event.id, event.event, event.data, event.retry)
            #expect(id == "1" && kind == "e" && data == "d" && retry == .milliseconds(5))
        }
    }

    @Test("reports debug information")
    func debugging() async throws {
        let infos: DebugInfo = await withCheckedContinuation { continuation in
            endpoint.execute(LoginWithFacebookRequest(token: "t"))
                .onDebug { continuation.resume(returning: $0) }
        }
        let _: URLSessionConfiguration = infos.sessionConfiguration
        let (request, url): (URLRequest?, HTTPURLResponse?) = (infos.request, infos.urlResponse)
        let (data, error): (Data?, (any Error)?) = (infos.dataResponse, infos.errorResponse)
        let (duration, command): (TimeInterval, String?) = (infos.requestDuration, infos.cURL)
        let (text, json): (String?, Any?) = (infos.stringResponse, infos.jsonResponse)
        #expect(request?.httpMethod == "POST" && url?.statusCode == 200 && error == nil)
        #expect(data?.isEmpty == false && duration > 0 && command?.hasPrefix("curl") == true)
        #expect(text == #"{"id":7}"# && json is [String: Any])
    }

    @Test("has one-line calls, and an endpoint per user")
    func secondEdition() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "netkit-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try await useSecondEdition(endpoint, folder: folder) == "dark")
        #expect(server.requests.map { $0.header("Cache-Control") } == [nil, nil, "max-age=0"])
        let derived: Endpoint = endpoint.derived { other in
            other.headers.authToken = .bearer("of another user")
        }
        let settings = try await derived.get("settings", query: [("q", "1")], as: Settings.self)
        #expect(settings == Settings(theme: "dark"))
        let posted: Settings = try await derived.post("settings", nil)
        #expect(posted.theme == "dark")
        let tokens = server.requests.suffix(2).map { $0.header("Authorization") }
        #expect(tokens == ["Bearer of another user", "Bearer of another user"])
        #expect(endpoint.headers.authToken == nil)
        let busy: [MockResponse] = [
            .json(text: #"{"theme":""}"#), .json(text: #"{"theme":""}"#), .status(503),
        ]
        server.enqueue(busy)
        let failure = try await useSecondEdition(endpoint, folder: folder)
        #expect(failure == "HTTP 503 Service Unavailable, true")
    }
}
