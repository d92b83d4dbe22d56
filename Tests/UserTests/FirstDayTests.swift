import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Also a file of MainActorTests, where everything is isolated to the main actor by default, but for the models.

nonisolated struct FirstUser: Codable, Equatable, Sendable { var name = "Ada" }

nonisolated struct FirstEvent: Decodable, Sendable { let startsAt: Date }

nonisolated struct FirstError: ServerError, Codable {
    let message: String
    let code: Int
}

struct FirstUserRequest: Request {
    typealias ResponseObjectType = FirstUser
    typealias ErrorType = FirstError
    let path: String
    let timeout: Duration = .seconds(30)
    init(id: Int) { path = "users/\(id)" }
}

protocol FirstAPI: Request {}

nonisolated extension FirstAPI {
    var headers: HTTPHeaders { ["X-App": "first"] }
}

nonisolated class FirstBase: FirstAPI, @unchecked Sendable {
    typealias ResponseObjectType = FirstUser
    var path: String { "base" }
}

final class FirstRefined: FirstBase, @unchecked Sendable {
    override var path: String { "refined" }
}

@Suite("Lines of the first day", .timeLimit(.minutes(15)))
nonisolated struct FirstDayTests {
    @Test("make the same bodies in a function, in an async one and in a task")
    func bodies() async throws { try await FirstDay().bodies() }

    @Test("send a form's parts in their order")
    func form() async throws { try await FirstDay().form() }

    @Test("call each method, with a value or a body, and with or without a result")
    func calls() async throws { try await FirstDay().calls() }

    @Test("write queries of any values, header fields, and a POST without a body")
    func queries() async throws { try await FirstDay().queries() }

    @Test("read the status and the fields of a response, and the error of a failure")
    func responses() async throws { try await FirstDay().responses() }

    @Test("describe requests by a protocol and a base class")
    func families() async throws { try await FirstDay().families() }

    @Test("set the strategies of the endpoint's decoder")
    func decoder() async throws { try await FirstDay().decoder() }
}

/// The lines, in the isolation of their module.
private struct FirstDay {
    private let stub = StubTransport()
    private let endpoint: Endpoint

    init() async throws {
        endpoint = Endpoint(
            baseURL: try #require(URL(string: "https://api.example.com")),
            transport: stub,
            retryingCount: 0
        )
    }

    func families() async throws {
        let sent = try endpoint.urlRequest(for: FirstRefined())
        #expect(sent.url?.path == "/refined")
        #expect(sent.value(forHTTPHeaderField: "X-App") == "first")
    }

    private func text(_ body: RequestBody) throws -> String {
        let request = DefaultRequest<Void, ServerMessage>(path: "x", method: .post, body: body)
        let sent = try endpoint.urlRequest(for: request).httpBody
        return String(decoding: sent ?? Data(), as: UTF8.self)
    }

    private func made(_ texts: [String: String], _ numbers: [String: Double]) -> [RequestBody] {
        let values = ["name": "Ada"]
        let flags = ["new": true]
        let lists = ["tags": ["a"]]
        let missing: [String: String?] = ["none": nil]
        let mixed: [String: any Sendable] = ["id": 1, "user": FirstUser()]
        let pairs = [("b", "1"), ("a", "2")]
        let fields = ["b": "1", "a": "2"]
        let body: RequestBody? = .params(["token": values["name"] ?? ""])
        return [
            .params(values), .params(flags), .params(lists), .params(missing), .params(mixed),
            .params(texts), .params(numbers), RequestBody.params([:]),
            .params([
                "id": 1, "name": "Ada", "tags": ["a"], "born": Date(timeIntervalSince1970: 0),
                "none": nil as String?,
            ]),
            .params(["user": FirstUser(), "id": 1]),
            .params(["address": ["city": "x", "zip": 8, "tags": ["home", true]]]),
            .form(["user": "ada", "password": "x"]), .form(pairs), .form(fields),
        ] + [body].compactMap { $0 }
    }

    private func madeInAsync(
        _ texts: [String: String],
        _ numbers: [String: Double]
    ) async
        -> [RequestBody]
    {
        let values = ["name": "Ada"]
        let flags = ["new": true]
        let lists = ["tags": ["a"]]
        let missing: [String: String?] = ["none": nil]
        let mixed: [String: any Sendable] = ["id": 1, "user": FirstUser()]
        let pairs = [("b", "1"), ("a", "2")]
        let fields = ["b": "1", "a": "2"]
        let body: RequestBody? = .params(["token": values["name"] ?? ""])
        return [
            .params(values), .params(flags), .params(lists), .params(missing), .params(mixed),
            .params(texts), .params(numbers), RequestBody.params([:]),
            .params([
                "id": 1, "name": "Ada", "tags": ["a"], "born": Date(timeIntervalSince1970: 0),
                "none": nil as String?,
            ]),
            .params(["user": FirstUser(), "id": 1]),
            .params(["address": ["city": "x", "zip": 8, "tags": ["home", true]]]),
            .form(["user": "ada", "password": "x"]), .form(pairs), .form(fields),
        ] + [body].compactMap { $0 }
    }

    func bodies() async throws {
        let expected = [
            #"{"name":"Ada"}"#, #"{"new":true}"#, #"{"tags":["a"]}"#, #"{"none":null}"#,
            #"{"id":1,"user":{"name":"Ada"}}"#, #"{"a":"b"}"#, #"{"x":0.5}"#, "{}",
            #"{"born":"1970-01-01T00:00:00Z","id":1,"name":"Ada","none":null,"tags":["a"]}"#,
            #"{"id":1,"user":{"name":"Ada"}}"#,
            #"{"address":{"city":"x","tags":["home",true],"zip":8}}"#,
            "user=ada&password=x", "b=1&a=2", "a=2&b=1", #"{"token":"Ada"}"#,
        ]
        #expect(try made(["a": "b"], ["x": 0.5]).map(text) == expected)
        #expect(try await madeInAsync(["a": "b"], ["x": 0.5]).map(text) == expected)
        let task = Task {
            let values = ["name": "Ada"]
            return [RequestBody.params(values), .params(["id": 1, "none": nil as String?])]
        }
        #expect(
            try await task.value.map(text) == [#"{"name":"Ada"}"#, #"{"id":1,"none":null}"#]
        )
    }

    func form() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).txt")
        try Data("text".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        stub.on(.post, "/cats") { _ in .status(204) }
        try await endpoint.post(
            "cats",
            .multipart([
                .field("title", "Cat"), .file("photo", file), .field("none", nil as String?),
                .data("raw", Data([1]), fileName: "a.bin", mime: .binary), .field("age", 3),
            ])
        )
        let parts = try #require(stub.requests.first).multipart
        #expect(parts.map(\.name) == ["title", "photo", "raw", "age"])
        #expect(parts.map(\.fileName) == [nil, file.lastPathComponent, "a.bin", nil])
        #expect(parts.map(\.contentType) == [nil, "text/plain", "application/octet-stream", nil])
        #expect(
            parts.map(\.body) == [Data("Cat".utf8), Data("text".utf8), Data([1]), Data("3".utf8)]
        )
    }

    func calls() async throws {
        let user = FirstUser()
        stub.on(.get, "/users/42?page=2") { _ in .json(user) }
        stub.on(.post, "/users") { _ in .json(user) }
        stub.on(.put, "/users/42") { _ in .json(user) }
        stub.on(.patch, "/users/42") { _ in .json(user) }
        stub.on(.delete, "/users/42") { _ in .status(204) }

        let found: FirstUser = try await endpoint.get(
            "users/{id}",
            path: ["id": 42],
            query: ["page": "2"]
        )
        let pairs = [("page", "2")]
        let same = try await endpoint.get("users/42", query: pairs, as: FirstUser.self)
        let made: FirstUser = try await endpoint.post("users", user)
        try await endpoint.post("users", user)
        try await endpoint.post("users", .encodable(user))
        try await endpoint.post("users", .json(user))
        try await endpoint.post("users", ["name": user.name, "age": 3, "tags": ["a"]])
        try await endpoint.post("users", ["name": "Ada", "age": 3, "home": nil])
        let changed: FirstUser = try await endpoint.put("users/42", user)
        let patched: FirstUser = try await endpoint.patch("users/42", .params(["name": "Eve"]))
        try await endpoint.delete("users/42")
        #expect([found, same, made, changed, patched] == Array(repeating: user, count: 5))
        #expect(
            stub.requests.map { "\($0.method)" } == [
                "GET", "GET", "POST", "POST", "POST", "POST", "POST", "POST", "PUT", "PATCH",
                "DELETE",
            ]
        )
        let sent = try stub.requests.dropFirst(2).dropLast()
            .map { request in
                try request.json(as: FirstUser.self).name
            }
        #expect(sent == Array(repeating: "Ada", count: 7) + ["Eve"])
    }

    func queries() async throws {
        enum Sort: String { case name, age }
        let (page, none): (Int?, Int?) = (2, nil)
        stub.on(nil, "/*") { _ in .json(FirstUser()) }
        let _: FirstUser = try await endpoint.get(
            "users",
            query: [
                "page": page, "none": none, "ids": [1, 2], "on": true, "sort": Sort.name, "x": nil,
            ],
            headers: ["X-A": "1"]
        )
        try await endpoint.post("ping")
        try await endpoint.post("users", FirstUser(), query: ["dry": true], headers: ["X-A": "2"])
        try await endpoint.delete("users/1", query: ["force": 1], headers: ["X-A": "3"])
        let pairs = [("a", "1"), ("a", "2")]
        try await endpoint.delete("users/2", query: pairs)
        let _: FirstUser = try await endpoint.delete(
            "users/{id}",
            path: ["id": 3],
            query: [("b", "")]
        )
        let sent = stub.requests.map { "\($0.method) \($0.target)" }
        #expect(
            sent == [
                "GET /users?page=2&ids%5B%5D=1&ids%5B%5D=2&on=true&sort=name", "POST /ping",
                "POST /users?dry=true", "DELETE /users/1?force=1", "DELETE /users/2?a=1&a=2",
                "DELETE /users/3?b=",
            ]
        )
        #expect(stub.requests.map { $0.header("X-A") } == ["1", nil, "2", "3", nil, nil])
        #expect(stub.requests[1].body.isEmpty)
    }

    func responses() async throws {
        stub.on(.get, "/users/42") { _ in
            .json(FirstUser()).header(.eTag, "\"1\"")
        }
        stub.on(.get, "/users/7") { _ in
            .json(FirstError(message: "no such user", code: 7)).status(404)
        }
        let response = try await endpoint.response(for: FirstUserRequest(id: 42))
        #expect(response.status == .ok && response.headers[.eTag] == "\"1\"")
        #expect(response.value == FirstUser())
        do throws(ErrorResponse<FirstError>) {
            _ = try await endpoint.value(for: FirstUserRequest(id: 7))
            Issue.record("a 404 has a value")
        } catch {
            #expect(error.status == .notFound && error.message == "no such user")
            #expect(error.serverError?.code == 7)
        }
    }

    func decoder() async throws {
        let lines = ["startsAt": "1970-01-01T00:00:10Z"]
        stub.on(.get, "/events/1") { _ in .json(lines) }
        endpoint.decoder?.dateDecodingStrategy = .iso8601
        let event: FirstEvent = try await endpoint.get("events/1")
        #expect(event.startsAt == Date(timeIntervalSince1970: 10))
        // Each endpoint has its own.
        let other = try Endpoint("https://api.example.com", transport: stub)
        let failure = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            let _: FirstEvent = try await other.get("events/1")
        }
        guard case .decoding = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
