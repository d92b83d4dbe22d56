import Dispatch
import Foundation
import NetKit
import NetKitCache
import NetKitCookies

// Code of a NetKit user. It must compile unchanged.

struct User: Codable, Sendable { let id: Int }
struct AuthError: ServerError, Decodable {
    let message: String
    let code: Int
}

struct LoginWithFacebookRequest: Request {
    typealias ResponseObjectType = User
    typealias ErrorType = AuthError
    let path = "login/facebook"
    let method: HTTPMethod = .post
    let body: RequestBody?
    init(token: String) { body = .params(["token": token]) }
}
final class ListRequest: Request {
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
struct UpdateTodoRequest: Request {
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
struct AvatarUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = User
    let path = "avatar"
    let method: HTTPMethod = .post
    let files: [any MultipartFile]
}
struct Settings: Codable, Sendable { var theme: String }
struct SettingsRequest: Request {
    typealias ResponseObjectType = Settings
    let path = "settings"
    let cachePolicy: CachePolicy = .revalidate
    let retryPolicy: RetryPolicy? = .never
    let isAuthenticated = false
}
func callbacks() {
    LoginWithFacebookRequest(token: "t")
        .execute()
        .responseOn(.main)
        .retryOnFail(false)
        .onStart { operation in operation.cancel() }
        .onProgress { progress in print(progress) }
        .onSuccess { user in print(user.id) }
        .onFail { error in print(error.message) }
        .onDebug { info in print(info.cURL ?? "") }
}
func structured(_ endpoint: Endpoint) async {
    endpoint.headers.authToken = .bearer("token")
    do {
        let user = try await endpoint.value(for: LoginWithFacebookRequest(token: "t"))
        print(user.id)
    } catch {
        // Typed: no cast, no default.
        switch error {
        case .server(let failure, let response): print(failure.code, response.statusCode)
        case .undecodableServerError(let response, _), .decoding(let response, _):
            print(response.body.count)
        case .invalidRequest(let invalid): print(invalid.reason)
        case .timeout(let phase): print(phase)
        case .cancelled: break
        case .transport(let failure): print(failure.kind)
        case .interceptor(let underlying): print(underlying)
        }
    }
    _ =
        try? await DefaultRequest<Void, String?>(path: "p", method: .delete)
        .execute(on: endpoint).response
    _ =
        try? await ListRequest().download(to: URL(fileURLWithPath: "list.json"))
        .execute(on: endpoint).value
}
func useSecondEdition(_ endpoint: Endpoint, folder: URL) async throws {
    endpoint.cookies = CookieJar()
    endpoint.cache = try .disk(folder)
    let settings: Settings = try await endpoint.get("settings")
    _ = try await endpoint.post("settings", .encodable(settings), as: Settings.self)
    do { _ = try await endpoint.value(for: SettingsRequest()) } catch {
        let general: any CallError = error
        print(general.message, general.isTransient)
    }
}
