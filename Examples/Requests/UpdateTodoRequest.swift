import NetKit

/// Updates a to-do, with property wrappers for the parts of the request.
///
/// A struct, because a `Sendable` class can't have variables, and the storage of a property wrapper is one.
struct UpdateTodoRequest: Request {
    /// `Void` ignores the response's body.
    typealias ResponseObjectType = Void

    let path = "/users/{userId}/todos/{todoId}"
    let method: HTTPMethod = .put

    /// Fills `{userId}` as one path segment, percent-encoding a slash in the value.
    @Path("userId") private(set) var userId: Int
    @Path("todoId") private(set) var todoId: Int
    /// Adds `?action=…`, unless the value is nil.
    @Query("action") private(set) var action: String?
    /// Adds a header field, unless the value is nil.
    @Header("X-Trace") var trace: String?
    /// The body, encoded as JSON.
    @Object(encoding: .json) private(set) var todo: Todo

    init(userId: Int, todoId: Int, action: String?, todo: Todo) {
        self.userId = userId
        self.todoId = todoId
        self.action = action
        self.todo = todo
    }
}

struct Todo: Codable, Equatable, Sendable {
    let title: String
    let isDone: Bool
}
