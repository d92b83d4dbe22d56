import NetKit
import NetKitTesting

/// Creates a user, with an error type that names the rejected field.
final class SignUpRequest: Request {
    typealias ResponseObjectType = User
    /// The type of any other than a 2xx response.
    typealias ErrorType = SignUpError

    let path = "users"
    let method: HTTPMethod = .post
    let body: RequestBody?

    init(name: String) {
        body = .params(["name": name])
    }
}

/// The error body of this server: `{"message": "…", "field": "name"}`.
struct SignUpError: ServerError, Decodable {
    let message: String
    let field: String
}

struct ServerErrorsDemonstration: Demonstration {
    let name = "server-errors"
    let summary = "typed server errors with closures and with async"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/users") { _ in
            .json(text: #"{"message": "Ada is taken", "field": "name"}"#, status: 422)
        }
    }

    func run(_ context: Context) async throws {
        context.endpoint.useAsDefault()

        context.asked(#"SignUpRequest(name: "Ada").execute().onSuccess { … }.onFail { … }"#)
        // Waits for the closures. A program that keeps running needs no Answer.
        let answer = Answer<SignUpError?>()
        SignUpRequest(name: "Ada")
            .execute()
            .onSuccess { _ in answer.succeed(nil) }
            .onFail { error in answer.succeed(error.serverError) }
        let failure = try await answer.value
        context.cameBack(failure.map { "\($0)" } ?? "no SignUpError")
        try context.expect(failure?.field == "name", "onFail received a SignUpError")

        context.asked(#"try await SignUpRequest(name: "Ada").execute().value"#)
        let text = await signUp()
        context.cameBack(text)
        try context.expect(text.hasPrefix("HTTP 422"), "async threw the same error")

        context.asked("Task { do throws(ErrorResponse<SignUpError>) { … } catch { … } }")
        let task = Task {
            // In a closure, Swift needs the type of the errors that the do block throws.
            do throws(ErrorResponse<SignUpError>) {
                _ = try await SignUpRequest(name: "Ada").execute().value
                return "signed up"
            } catch {
                return "rejected: \(error.serverError?.field ?? "-")"
            }
        }
        let rejected = await task.value
        context.cameBack(rejected)
        try context.expect(rejected == "rejected: name", "a closure caught the typed error")
    }

    /// A call throws one type, so the switch needs no cast and no default.
    private func signUp() async -> String {
        do {
            let user = try await SignUpRequest(name: "Ada").execute().value
            return "signed up as \(user.name)"
        } catch {
            switch error {
            case .server(let failure, let response):
                return "HTTP \(response.statusCode), \(failure.field): \(failure.message)"
            case .undecodableServerError(let response, _), .decoding(let response, _):
                return "unexpected body of \(response.body.count) bytes"
            case .invalidRequest(let invalid): return "not sent: \(invalid)"
            case .timeout(let phase): return "timed out: \(phase)"
            case .cancelled: return "cancelled"
            case .transport(let failure): return "no response: \(failure)"
            case .interceptor(let underlying): return "interceptor failed: \(underlying)"
            }
        }
    }
}
