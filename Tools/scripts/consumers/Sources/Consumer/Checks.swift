import Foundation
import NetKit
import NetKitCache
import NetKitTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks of the user code against a server.
struct Checks {
    let server: MockServer
    let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = Endpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    static let all: [(name: String, run: @Sendable (Checks) async throws -> Void)] = [
        ("login with callbacks", { try await $0.login() }),
        ("rejected login with typed throws", { try await $0.loginRefused() }),
        ("list at a key path", { try await $0.list() }),
        ("rejected list with an optional String error", { try await $0.listRefused() }),
        ("update with path, query, header and object", { try await $0.update() }),
        ("multipart avatar", { try await $0.avatar() }),
        ("cancel in onStart", { try await $0.cancelled() }),
        ("callbacks()", { try await $0.callbacksFunction() }),
        ("structured()", { try await $0.structuredFunction() }),
        ("useSecondEdition()", { try await $0.secondEdition() }),
        ("interceptors, refresh and observer", { try await $0.extensions() }),
    ]

    private func login() async throws {
        server.route("POST", "/login/facebook") { _ in try .json(User(id: 7)) }
        let user = try await LoginWithFacebookRequest(token: "t").execute(on: endpoint).heard.get()
        try expect(user.id, 7, "user")
        let sent = try await sent(1)
        try expect(sent.text, #"{"token":"t"}"#, "body")
        try expect(sent.header("Content-Type"), "application/json", "Content-Type")
        try expect(sent.header("Accept"), "application/json", "Accept")
    }

    private func loginRefused() async throws {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"message":"no","code":42}"#, status: 403)
        }
        let attempt = {
            // In a closure, Swift needs the error's type.
            do throws(ErrorResponse<AuthError>) {
                _ = try await endpoint.value(for: LoginWithFacebookRequest(token: "t"))
                return 0
            } catch {
                guard case .server(let failure, let response) = error else { return -1 }
                return failure.code + response.statusCode
            }
        }
        try expect(await attempt(), 42 + 403, "code and status")
    }

    private func list() async throws {
        server.route("GET", "/my/path/to/backend") { _ in
            .json(text: #"{"path":{"to":{"node":[{"id":1},{"id":2}]}}}"#)
        }
        let users = try await endpoint.value(for: ListRequest())
        try expect(users.map(\.id), [1, 2], "users")
        let sent = try await sent(1)
        try expect(sent.target, "/my/path/to/backend?key=value", "target")
        try expect(sent.header("key"), "value", "header")
        try expect(sent.header("Content-Type"), nil, "Content-Type without a body")
    }

    private func listRefused() async throws {
        server.enqueue(.json(text: #""too many""#, status: 400), .status(400))
        var errors: [String??] = []
        for _ in 0..<2 {
            let outcome = await endpoint.execute(ListRequest()).heard
            guard case .failure(.server(let error, _)) = outcome else {
                throw Unexpected(description: "\(outcome)")
            }
            errors.append(error)
        }
        try expect(errors, ["too many", .some(nil)], "errors")
    }

    private func update() async throws {
        server.route("PUT", "/users/1/todos/2") { _ in .status(204) }
        var request = UpdateTodoRequest(userId: 1, todoId: 2, action: "x", todo: User(id: 3))
        request.trace = "abc"
        try await endpoint.value(for: request)
        try await endpoint.value(
            for: UpdateTodoRequest(userId: 1, todoId: 2, action: nil, todo: User(id: 3))
        )
        let first = try await sent(1)
        try expect(first.method, "PUT", "method")
        try expect(first.target, "/users/1/todos/2?action=x", "target")
        try expect(first.header("X-Trace"), "abc", "header")
        try expect(first.text, #"{"id":3}"#, "body")
        try expect(first.header("Content-Type"), "application/json", "Content-Type")
        let second = try await sent(2)
        try expect(second.target, "/users/1/todos/2", "target without an action")
        try expect(second.header("X-Trace"), nil, "header without a trace")
    }

    private func avatar() async throws {
        server.route("POST", "/avatar") { _ in try .json(User(id: 9)) }
        let bytes = Data((0...255).map { UInt8($0) })
        let file = DefaultMultipartFile(
            resource: bytes,
            mime: .image(.png),
            name: "avatar",
            fileName: "me.png"
        )
        try expect(try await endpoint.value(for: AvatarUpload(files: [file])).id, 9, "user")
        let sent = try await sent(1)
        let type = try require(sent.header("Content-Type"), "Content-Type")
        try expect(type.hasPrefix("multipart/form-data; boundary="), true, "Content-Type: \(type)")
        try expect(sent.header("Content-Length"), "\(sent.bodyLength)", "Content-Length")
        try expect(sent.body.range(of: bytes) != nil, true, "the file's bytes")
        for text in [#"name="avatar""#, #"filename="me.png""#, "image/png"] {
            try expect(sent.body.range(of: Data(text.utf8)) != nil, true, text)
        }
    }

    private func cancelled() async throws {
        server.route("GET", "/busy") { _ in .fault(.stall) }
        let one = URLSessionConfiguration.default
        one.httpMaximumConnectionsPerHost = 1
        let endpoint = Endpoint(baseURL: server.baseURL, sessionConfiguration: one)
        // The only connection is busy, so the call is cancelled while it is queued.
        endpoint.execute(DefaultRequest<Void, String>(path: "busy"))
        _ = try await sent(1)
        let outcome = await LoginWithFacebookRequest(token: "t").execute(on: endpoint)
            .onStart { operation in operation.cancel() }
            .heard
        guard case .failure(.cancelled) = outcome else {
            throw Unexpected(description: "\(outcome)")
        }
        try expect(server.requests.map(\.path), ["/busy"], "requests")
        endpoint.cancelAllRequests()
    }

    private func callbacksFunction() async throws {
        server.route("POST", "/login/facebook") { _ in try .json(User(id: 7)) }
        endpoint.useAsDefault()
        defer { Endpoint.default = nil }
        callbacks()
        let second = LoginWithFacebookRequest(token: "second").execute().responseOn(.main)
        try expect(try await second.heard.get().id, 7, "user of a later call")
    }

    private func structuredFunction() async throws {
        let list = #"{"path":{"to":{"node":[]}}}"#
        server.route("POST", "/login/facebook") { _ in try .json(User(id: 7)) }
        server.route("DELETE", "/p") { _ in .status(204) }
        server.route("GET", "/my/path/to/backend") { _ in .json(text: list) }
        await structured(endpoint)
        let requests = server.requests
        try expect(
            requests.map { "\($0.method) \($0.path)" },
            ["POST /login/facebook", "DELETE /p", "GET /my/path/to/backend"],
            "requests"
        )
        for request in requests {
            try expect(request.header("Authorization"), "Bearer token", "Authorization")
        }
        let file = try String(contentsOf: URL(fileURLWithPath: "list.json"), encoding: .utf8)
        try expect(file, list, "list.json")
    }

    private func secondEdition() async throws {
        let settings = #"{"theme":"dark"}"#
        let first = MockResponse.json(text: settings)
            .header("ETag", "\"1\"").header("Set-Cookie", "session=1")
        server.enqueue(first, .json(text: settings), .status(503))
        endpoint.retryingCount = 1
        endpoint.headers.authToken = .bearer("token")
        try await useSecondEdition(endpoint, folder: URL(fileURLWithPath: "cache"))
        try expect(
            server.requests.map {
                "\($0.method) \($0.header("Authorization") ?? "none") \($0.text)"
            },
            ["GET Bearer token ", "POST Bearer token \(settings)", "GET none "],
            "requests"
        )
        try expect(
            server.requests.map { $0.header("Cookie") },
            [nil, "session=1", "session=1"],
            "cookies"
        )
        try expect(
            server.requests.map { $0.header("Cache-Control") },
            [nil, nil, "max-age=0"],
            "the request's policy"
        )
        let statistics = try require(endpoint.cache, "cache").statistics
        try expect(statistics.misses, 2, "cache misses")
        try expect(statistics.stored, 0, "stored responses to requests with credentials")
    }

    private func extensions() async throws {
        server.route("GET", "/my/path/to/backend") { request in
            request.header("Authorization") == "Bearer fresh 1"
                ? .json(text: #"{"path":{"to":{"node":[]}}}"#) : .status(401)
        }
        server.route("GET", "/token") { _ in .text("fresh 1") }
        server.enqueue(.status(418))
        endpoint.retryingCount = 1
        _ = await extend(endpoint, TokenStore())
        _ = try await endpoint.value(for: ListRequest())
        try expect(
            server.requests.map { $0.header("Authorization") ?? "none" },
            ["Bearer stale", "Bearer stale", "none", "Bearer fresh 1"],
            "tokens"
        )
        let stamps = server.requests.map { $0.header("X-Stamp") }
        try expect(stamps, ["yes", "yes", "yes", "yes"], "stamps")
    }

    /// Returns the n-th request that the server received, starting at 1.
    private func sent(_ number: Int) async throws -> RecordedRequest {
        try await server.waitForRequests(number)[number - 1]
    }
}
