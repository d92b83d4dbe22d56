import Foundation
import NetKit
import NetKitTesting

/// Sends a request with property wrappers for its path, query, header field and body.
struct ParametersDemonstration: Demonstration {
    let name = "parameters"
    let summary = "declare path, query, header and body with property wrappers"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("PUT", "/users/*") { _ in .status(204) }
    }

    func run(_ context: Context) async throws {
        let todo = Todo(title: "Read the examples", isDone: true)
        var request = UpdateTodoRequest(userId: 123, todoId: 1234, action: "update", todo: todo)
        request.trace = "abc"

        context.asked(
            """
            var request = UpdateTodoRequest(
                userId: 123, todoId: 1234, action: "update",
                todo: Todo(title: "Read the examples", isDone: true)
            )
            request.trace = "abc"
            """
        )
        let response = try await context.endpoint.response(for: request)
        context.cameBack("\(response.http)")

        let sent = try context.lastRequest()
        try context.expect(sent.path == "/users/123/todos/1234", "@Path filled the path")
        try context.expect(sent.target.hasSuffix("?action=update"), "@Query filled the query")
        try context.expect(sent.header("X-Trace") == "abc", "@Header filled a header field")
        let body = try JSONDecoder().decode(Todo.self, from: sent.body)
        try context.expect(body == todo, "@Object filled the body")
    }
}
