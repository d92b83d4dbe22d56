import NetKit
import NetKitTesting

/// Gets a user: `GET /users/42`.
final class UserRequest: Request {
    /// The type of a 2xx response.
    typealias ResponseObjectType = User

    /// The path below the endpoint's base URL.
    let path: String

    init(id: Int) {
        path = "users/\(id)"
    }
}

/// `ResponseObject` is short for `Decodable & Sendable`.
struct User: ResponseObject {
    let id: Int
    let name: String
}

struct GetDemonstration: Demonstration {
    let name = "get"
    let summary = "GET a JSON response with closures and with async"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("GET", "/users/42") { _ in .json(text: #"{"id": 42, "name": "Ada"}"#) }
    }

    func run(_ context: Context) async throws {
        // Once, when the program starts: the endpoint for requests that don't specify one.
        context.endpoint.useAsDefault()

        context.asked("UserRequest(id: 42).execute().onSuccess { … }.onFail { … }")
        // Waits for the closures. A program that keeps running needs no Answer.
        let answer = Answer<User>()
        UserRequest(id: 42)
            .execute()
            .onSuccess { user in answer.succeed(user) }
            .onFail { error in answer.fail(error) }
        let user = try await answer.value
        context.cameBack("\(user)")
        try context.expect(user.name == "Ada", "onSuccess received the decoded user")

        context.asked("try await UserRequest(id: 42).execute().value")
        let same = try await UserRequest(id: 42).execute().value
        context.cameBack("\(same)")
        try context.expect(same.id == user.id, "async returned the same user")
    }
}
