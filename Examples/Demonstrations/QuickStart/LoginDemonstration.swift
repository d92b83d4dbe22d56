import NetKit
import NetKitTesting

/// Logs in: `POST /login/facebook` with a JSON body.
final class LoginWithFacebookRequest: Request {
    typealias ResponseObjectType = User
    /// The type of any other response.
    typealias ErrorType = AuthError

    let path = "login/facebook"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(token: String) {
        // A JSON object. Values can be nested, optional, dates, UUIDs or any Encodable type.
        body = .params(["token": token])
    }
}

/// The error body of this server: `{"message": "…", "code": 1}`.
struct AuthError: ServerError, Decodable {
    let message: String
    let code: Int
}

struct LoginDemonstration: Demonstration {
    let name = "login"
    let summary = "POST a JSON body with closures and with async"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"id": 42, "name": "Ada"}"#)
        }
    }

    func run(_ context: Context) async throws {
        context.endpoint.useAsDefault()

        context.asked(
            #"LoginWithFacebookRequest(token: "fake-token").execute().onSuccess { … }.onFail { … }"#
        )
        // Waits for the closures. A program that keeps running needs no Answer.
        let answer = Answer<User>()
        LoginWithFacebookRequest(token: "fake-token")
            .execute()
            .onSuccess { user in answer.succeed(user) }
            .onFail { error in answer.fail(error) }
        let user = try await answer.value
        context.cameBack("\(user)")
        try context.expect(user.name == "Ada", "onSuccess received the decoded user")

        context.asked(#"try await LoginWithFacebookRequest(token: "fake-token").execute().value"#)
        let same = try await LoginWithFacebookRequest(token: "fake-token").execute().value
        context.cameBack("\(same)")
        let bodies = try context.ownServer().requests
            .map { String(decoding: $0.body, as: UTF8.self) }
        try context.expect(
            bodies == [#"{"token":"fake-token"}"#, #"{"token":"fake-token"}"#],
            "both requests sent the parameters as JSON"
        )
    }
}
