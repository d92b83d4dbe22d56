import NetKit
import NetKitTesting

/// The shortest way: a default endpoint, a request that executes itself, two closures.
struct LoginDemonstration: Demonstration {
    let name = "login"
    let summary = "a POST with a JSON body, the answer through callbacks"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"id": 42, "name": "Ada"}"#)
        }
    }

    func run(_ context: Context) async throws {
        // Once, when the app starts: where requests go that name no endpoint of their own.
        context.endpoint.useAsDefault()

        context.asked(#"LoginWithFacebookRequest(token: "fake-token").execute()"#)
        // An app needs no continuation, it lives on anyway. This program waits for the answer.
        let user: User = try await withCheckedThrowingContinuation { continuation in
            LoginWithFacebookRequest(token: "fake-token")
                .execute()
                .onSuccess { user in continuation.resume(returning: user) }
                .onFail { error in continuation.resume(throwing: error) }
        }
        context.cameBack("\(user)")
        try context.expect(user.name == "Ada", "onSuccess was called with the decoded user")

        let body = String(decoding: try context.lastRequest().body, as: UTF8.self)
        try context.expect(body == #"{"token":"fake-token"}"#, "the body was the JSON of params")
    }
}
