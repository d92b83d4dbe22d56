import NetKit
import NetKitTesting

/// The server's own error arrives as the request's `ErrorType`; nothing has to be cast.
struct ServerErrorsDemonstration: Demonstration {
    let name = "server-errors"
    let summary = "typed errors, in callbacks and with async"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"message": "this token is unknown", "code": 1007}"#, status: 401)
        }
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint

        context.asked(#"LoginWithFacebookRequest(token: "wrong").execute().onFail { … }"#)
        let failure: AuthError? = await withCheckedContinuation { continuation in
            LoginWithFacebookRequest(token: "wrong")
                .execute(on: endpoint)
                .onSuccess { _ in continuation.resume(returning: nil) }
                .onFail { error in continuation.resume(returning: error.serverError) }
        }
        context.cameBack(failure.map { "\($0)" } ?? "no AuthError")
        try context.expect(failure?.code == 1007, "onFail was called with an AuthError")

        context.asked(#"try await endpoint.value(for: LoginWithFacebookRequest(token: "wrong"))"#)
        let text = await login(on: endpoint)
        context.cameBack(text)
        try context.expect(text.hasPrefix("HTTP 401"), "the same error was thrown")

        context.asked("Task { do throws(ErrorResponse<AuthError>) { … } catch { … } }")
        let task = Task {
            // In a closure the compiler wants to be told which type the do block throws.
            do throws(ErrorResponse<AuthError>) {
                _ = try await endpoint.value(for: LoginWithFacebookRequest(token: "wrong"))
                return "signed in"
            } catch {
                return "code \(error.serverError?.code ?? 0)"
            }
        }
        let code = await task.value
        context.cameBack(code)
        try context.expect(code == "code 1007", "a closure caught it with its type")
    }

    /// `value(for:)` throws one type only, so the switch needs no cast and no default.
    private func login(on endpoint: Endpoint) async -> String {
        do {
            let user = try await endpoint.value(for: LoginWithFacebookRequest(token: "wrong"))
            return "signed in as \(user.name)"
        } catch {
            switch error {
            case .server(let failure, let response):
                return "HTTP \(response.statusCode), code \(failure.code): \(failure.message)"
            case .undecodableServerError(let response, _), .decoding(let response, _):
                return "a body we do not understand, \(response.body.count) bytes"
            case .invalidRequest(let invalid): return "nothing was sent: \(invalid)"
            case .timeout(let phase): return "too slow: \(phase)"
            case .cancelled: return "cancelled"
            case .transport(let failure): return "no response: \(failure)"
            case .interceptor(let underlying): return "our own code threw: \(underlying)"
            }
        }
    }
}
