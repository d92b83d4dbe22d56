import NetKit

/// The parts of a request as property wrappers: each says where its value goes.
///
/// A struct: Swift makes the storage of a property wrapper a variable, and refuses variables in a `Sendable` class.
struct UpdateTodoRequest: Request {
    /// `Void`: what the response's body says does not matter.
    typealias ResponseObjectType = Void

    let path = "/users/{userId}/todos/{todoId}"
    let method: HTTPMethod = .put

    /// Fills `{userId}` as one segment: a slash in the value would be escaped.
    @Path("userId") private(set) var userId: Int
    @Path("todoId") private(set) var todoId: Int
    /// `?action=…`; nil leaves it out.
    @Query("action") private(set) var action: String?
    /// A header; nil leaves it out.
    @Header("X-Trace") var trace: String?
    /// The body, here as JSON.
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
