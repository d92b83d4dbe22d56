import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Wrapped parameters", .timeLimit(.minutes(15)))
struct WrapperScenarios {
    private struct GetTodo: Request {
        typealias ResponseObjectType = Void
        let path = "/todos/{id}"
        @Path("id") private(set) var id: String
        init(id: String) { self.id = id }
    }

    private struct HashTodo: Request {
        typealias ResponseObjectType = Void
        let path = "/todos/##id##"
        @Path("id", encoding: PathEncoding(pattern: "##key##")) private(set) var id: Int
        init(id: Int) { self.id = id }
    }

    private struct Leftover: Request {
        typealias ResponseObjectType = Void
        let path = "/todos/{id}/{part}"
        @Path("id") var id = 1
    }

    private enum Action: String, Sendable { case update, remove }

    private struct Todo: Codable, Hashable, Sendable {
        let title: String
        let isDone: Bool
    }

    private struct UpdateTodo: Request {
        typealias ResponseObjectType = Void
        let method = HTTPMethod.put
        let path = "/users/{userId}/todos/{todoId}"
        @Object private(set) var todo: Todo
        @Query("action") private(set) var action: Action?
        @Path("todoId") private(set) var todoID: Int
        @Path("userId") private(set) var userID: Int

        init(userID: Int, todoID: Int, action: Action?, todo: Todo) {
            (self.userID, self.todoID) = (userID, todoID)
            (self.action, self.todo) = (action, todo)
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/*") { _ in .status(204) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// A value is one segment, whatever is in it.
    @Test(
        "fills the path, one segment for each parameter",
        arguments: ["7", "a/b ?#%", "ü😀", "%2F", "a+b&c=d"]
    )
    func path(id: String) async throws {
        try await endpoint.value(for: GetTodo(id: id))
        #expect(server.requests.first?.pathSegments == ["todos", id])
    }

    /// Any pattern can mark a placeholder.
    @Test("fills placeholders of another pattern")
    func pattern() async throws {
        try await endpoint.value(for: HashTodo(id: 12))
        #expect(server.requests.map(\.target) == ["/todos/12"])
    }

    /// A placeholder that nobody fills is no path.
    @Test("rejects an unfilled placeholder", arguments: CallStyle.allCases)
    func leftover(style: CallStyle) async {
        let error = await style.outcome(of: Leftover(), on: endpoint).error
        guard case .invalidRequest(let invalid) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.reason == .missingPathParameter("part"))
        #expect(server.requests.isEmpty)
    }

    /// Path, query and body of one request, in any order of declaration.
    @Test("builds a whole request from path, query and body", arguments: CallStyle.allCases)
    func together(style: CallStyle) async throws {
        let todo = Todo(title: "write", isDone: true)
        let update = UpdateTodo(userID: 123, todoID: 1234, action: .update, todo: todo)
        try await style.outcome(of: update, on: endpoint).get()
        let sent = try #require(server.requests.first)
        #expect(sent.method == "PUT")
        #expect(sent.target == "/users/123/todos/1234?action=update")
        #expect(sent.header("Content-Type") == "application/json")
        #expect(try sent.json() == todo)
    }

    // MARK: Bodies

    private class Traced: @unchecked Sendable {
        // Proof: changed before the request is sent alone.
        @Header("X-Trace") var trace: String?
    }

    private final class Upload: Traced, Request, @unchecked Sendable {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method = HTTPMethod.post
        @RawData var raw: Data
        @Object var object = ["never": "sent"]
    }

    private struct UploadLast: Request {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method = HTTPMethod.post
        @Object var object = ["never": "sent"]
        @RawData var raw: Data
        init(raw: Data) { self.raw = raw }
    }

    /// Raw data wins in either order, and a superclass has parameters too.
    @Test("prefers raw data over an object, and includes a superclass's parameters")
    func rawData() async throws {
        let upload = Upload()
        upload.raw = Data([0, 255])
        upload.trace = "t-1"
        try await endpoint.value(for: upload)
        try await endpoint.value(for: UploadLast(raw: Data([0, 255])))
        #expect(server.requests.map(\.body) == [Data([0, 255]), Data([0, 255])])
        #expect(server.requests.first?.header("X-Trace") == "t-1")
    }

    private struct Send<Value: Codable & Sendable>: Request {
        typealias ResponseObjectType = Void
        let path = "send"
        let method = HTTPMethod.post
        @Object private var value: Value

        init(_ value: Value, _ encoding: ParameterEncoding) {
            _value = Object(encoder: .snakeCase, encoding: encoding)
            self.value = value
        }
    }

    private struct Numbers: Codable, Hashable, Sendable {
        var largeNumber = Int64.max
        var exactPrice = Decimal(string: "0.1234567890123456789")
        var allTags = ["b", "a"]
        var note: String?
    }

    /// Whatever encodes arrives exactly, as JSON.
    @Test("encodes objects, lists, text and exact numbers as JSON")
    func json() async throws {
        try await endpoint.value(for: Send(Numbers(), .json))
        try await endpoint.value(for: Send([1, 2], .json))
        try await endpoint.value(for: Send("text", .json))
        try await endpoint.value(for: Send(Int64.max, .json))
        let sent = server.requests
        #expect(try sent[0].json(decoder: .snakeCase) == Numbers())
        #expect(sent[0].text.contains("\"large_number\":9223372036854775807"))
        #expect(sent.dropFirst().map(\.text) == ["[1,2]", "\"text\"", "9223372036854775807"])
    }

    /// And as fields, in the order of the type.
    @Test("encodes an object as a form or a query, in declaration order")
    func fields() async throws {
        try await endpoint.value(for: Send(Numbers(), .form()))
        try await endpoint.value(for: Send(Numbers(), .query(URLEncoding(arrays: .repeated))))
        let (form, query) = (server.requests[0], server.requests[1])
        #expect(form.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(
            form.form.map { "\($0.name)=\($0.value)" } == [
                "large_number=9223372036854775807", "exact_price=0.1234567890123456789",
                "all_tags[]=b", "all_tags[]=a",
            ]
        )
        #expect(
            query.target
                == "/send?large_number=9223372036854775807&exact_price=0.1234567890123456789"
                + "&all_tags=b&all_tags=a"
        )
        #expect(query.body.isEmpty)
    }
}
