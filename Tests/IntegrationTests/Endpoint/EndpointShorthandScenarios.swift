import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Calls without a request type", .timeLimit(.minutes(15)))
struct EndpointShorthandScenarios {
    private struct User: Codable, Sendable, Equatable {
        var name = "a b"
    }

    /// A call, the request that it sends, and whether its body is decoded.
    private struct Call: Sendable, CustomTestStringConvertible {
        var method: HTTPMethod
        var target = "/users/a%20b"
        var body: String?
        var isDecoded = true
        var run: @Sendable (Endpoint) async throws -> User?

        var testDescription: String { "\(method) \(target) \(body ?? "") \(isDecoded)" }
    }

    private static let name = ["name": "a b"]
    private static let json = #"{"name":"a b"}"#
    private static let user = User()
    private static let form = RequestBody.form([("id", "7")])

    private static let calls: [Call] = [
        Call(method: .get, target: "/users/a%20b?page=2&page=3") {
            try await $0.get("users/{name}", path: name, query: [("page", "2"), ("page", "3")])
        },
        Call(method: .get, target: "/users/a%20b?page=2&page=3") {
            try await $0.get("users/{name}", path: name, query: ["page": "2", "page": "3"])
        },
        Call(method: .delete, target: "/users/a%20b?page=2") {
            try await $0.delete("users/{name}", path: name, query: ["page": "2"])
        },
        Call(method: .delete, target: "/users/a%20b?page=2", isDecoded: false) {
            try await $0.delete("users/{name}", path: name, query: ["page": "2"])
            return nil
        },
        Call(method: .post, body: json) {
            try await $0.post("users/{name}", user, path: name)
        },
        Call(method: .post, body: "id=7") {
            try await $0.post("users/{name}", form, path: name)
        },
        Call(method: .post, body: json, isDecoded: false) {
            try await $0.post("users/{name}", user, path: name)
            return nil
        },
        Call(method: .post, body: "id=7", isDecoded: false) {
            try await $0.post("users/{name}", form, path: name)
            return nil
        },
        Call(method: .put, body: json) {
            try await $0.put("users/{name}", user, path: name)
        },
        Call(method: .put, body: "id=7") {
            try await $0.put("users/{name}", form, path: name)
        },
        Call(method: .put, body: json, isDecoded: false) {
            try await $0.put("users/{name}", user, path: name)
            return nil
        },
        Call(method: .put, body: "id=7", isDecoded: false) {
            try await $0.put("users/{name}", form, path: name)
            return nil
        },
        Call(method: .patch, body: json) {
            try await $0.patch("users/{name}", user, path: name)
        },
        Call(method: .patch, body: "id=7") {
            try await $0.patch("users/{name}", form, path: name)
        },
        Call(method: .patch, body: json, isDecoded: false) {
            try await $0.patch("users/{name}", user, path: name)
            return nil
        },
        Call(method: .patch, body: "id=7", isDecoded: false) {
            try await $0.patch("users/{name}", form, path: name)
            return nil
        },
    ]

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @Test("send their method, path, query and body, and return the value", arguments: calls)
    private func sent(call: Call) async throws {
        let answer = call.isDecoded ? Self.json : "not JSON"
        server.route(nil, "/users/*") { _ in .text(answer) }
        #expect(try await call.run(endpoint) == (call.isDecoded ? Self.user : nil))
        let request = try #require(server.requests.first)
        #expect(request.method == call.method)
        #expect(request.target == call.target)
        #expect(request.text == call.body ?? "")
    }

    @Test("throw the failure of the call", arguments: calls)
    private func failed(call: Call) async {
        server.route(nil, "/users/*") { _ in .status(404) }
        await #expect { try await call.run(endpoint) } throws: { error in
            (error as? ErrorResponse<ServerMessage>)?.statusCode == 404
        }
    }

    @Test("send nothing when a placeholder has no value")
    func missingValue() async {
        await #expect {
            _ = try await endpoint.get("users/{name}/{id}", path: ["name": "a"], as: User.self)
        } throws: { error in
            guard case ErrorResponse<ServerMessage>.invalidRequest = error else { return false }
            return true
        }
        #expect(server.requests.isEmpty)
    }

    @Test("tell observers of a value that can't be sent, as of every other failure")
    func refusedValues() async throws {
        let ends = Locked(0)
        endpoint.observation.registerEvents { event in
            if case .finished(.some) = event.kind { ends.withLock { $0 += 1 } }
        }
        struct Opaque: Sendable {}
        let calls: [@Sendable (Endpoint) async throws -> Void] = [
            { try await $0.post("users/{id}", path: ["id": ""]) },
            { try await $0.post("users/{id}", path: ["id": ".."]) },
            { try await $0.post("users", query: ["lat": Double.nan]) },
            { try await $0.post("users", query: ["all": [1, Double.infinity]]) },
            { try await $0.post("users", query: ["what": Opaque()]) },
        ]
        let reasons: [InvalidRequest.Reason] = [
            .unsafePathParameter("id"), .unsafePathParameter("id"), .unencodableParameter("lat"),
            .unencodableParameter("all"), .unencodableParameter("what"),
        ]
        for (call, reason) in zip(calls, reasons) {
            await #expect {
                try await call(endpoint)
            } throws: { error in
                guard case ErrorResponse<ServerMessage>.invalidRequest(let invalid) = error else {
                    return false
                }
                return invalid.reason == reason
            }
        }
        #expect(ends.withLock { $0 } == calls.count)
        #expect(server.requests.isEmpty)
    }

    @Test("write encodable and JSON values of a query as nested fields")
    func nestedValues() async throws {
        struct Filter: Encodable, Sendable {
            var minimum: Int? = 1
            var tags = ["a", "b"]
        }
        server.route(nil, "/users") { _ in .text("") }
        let json: JSONValue = ["next": "a b", "none": nil, "list": [1, true], "in": ["x": 2]]
        try await endpoint.delete(
            "users",
            query: [
                "f": Filter(), "all": [Filter(minimum: nil, tags: ["c"])], "next": json["next"],
                "none": json["none"], "list": json["list"], "in": json["in"],
            ]
        )
        let target = try #require(server.requests.first?.target.removingPercentEncoding)
        #expect(
            target == "/users?f[minimum]=1&f[tags][]=a&f[tags][]=b&all[0][tags][]=c&next=a b"
                + "&list[]=1&list[]=true&in[x]=2"
        )
    }

    @Test("take literals with values of a program's own types")
    func ownTypes() async throws {
        enum Role: String, Codable, Sendable { case admin }
        server.route(nil, "/users") { _ in .text("") }
        let (role, name, age) = (Role.admin, "Ada", 3)
        try await endpoint.post("users", ["role": role, "age": 3])
        let none: Role? = nil
        try await endpoint.post("users", ["role": role, "none": none, "nil": nil])
        try await endpoint.put("users", ["role": role, "age": 3])
        try await endpoint.patch("users", ["role": role, "age": 3])
        try await endpoint.post("users", .json(["name": name, "age": age]))
        let sent = server.requests.map(\.text)
        #expect(sent.first == #"{"age":3,"role":"admin"}"#)
        #expect(sent[1] == #"{"nil":null,"none":null,"role":"admin"}"#)
        #expect(sent[2...3].allSatisfy { $0 == sent.first })
        #expect(sent.last == #"{"age":3,"name":"Ada"}"#)
        server.route(nil, "/made") { _ in try .json(User()) }
        let members: [String: (any Encodable & Sendable)?] = ["role": role, "age": 3]
        let users: [User] = [
            try await endpoint.post("made", members), try await endpoint.put("made", members),
            try await endpoint.patch("made", members),
        ]
        #expect(users == Array(repeating: User(), count: 3))
        #expect(server.requests.suffix(3).map(\.method) == ["POST", "PUT", "PATCH"])
        #expect(server.requests.suffix(3).allSatisfy { $0.text == sent.first })
    }

    private struct Named: Request {
        typealias ResponseObjectType = User
        let path = "users/{name}"
        @Path("name") var name = "a+b:c/d"
    }

    @Test("sends path values strictly escaped if the endpoint says so, of all calls alike")
    func strictPaths() async throws {
        server.route("GET", "/users/*") { _ in try .json(User()) }
        let strict = endpoint.derived { $0.escapesPathValuesStrictly = true }
        for endpoint in [endpoint, strict, strict.derived { _ in }] {
            _ = try await endpoint.value(for: Named())
            _ = try await endpoint.get("users/{name}", path: ["name": "a+b:c/d"], as: User.self)
        }
        #expect(
            server.requests.map(\.target)
                == Array(repeating: "/users/a+b:c%2Fd", count: 2)
                + Array(repeating: "/users/a%2Bb%3Ac%2Fd", count: 4)
        )
    }
}
