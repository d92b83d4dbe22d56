import NetKit
import NetKitTesting

/// Interceptors around each attempt, and the history of the call.
struct InterceptorsDemonstration: Demonstration {
    let name = "interceptors"
    let summary = "add interceptors, and read the history of a call"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.enqueue(.status(503))
        server.route("GET", "/weather") { _ in .text("sunny") }
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint
        endpoint.retryPolicy.backoff = .constant(.milliseconds(10))
        endpoint.interceptors = [.userAgent("Weather/2.1"), TraceContext()]
        context.asked("endpoint.interceptors = [.userAgent(\"Weather/2.1\"), TraceContext()]")
        let response = try await endpoint.response(
            for: DefaultRequest<String, ServerMessage>(path: "weather", method: .get)
        )
        let history = response.history.map { "\($0.number): \($0.outcome), then \($0.next)" }
        context.cameBack(([response.value] + history).joined(separator: "\n"))
        let sent = try context.ownServer().requests
        try context.expect(
            sent.allSatisfy { $0.header("User-Agent") == "Weather/2.1" },
            "every attempt sent the User-Agent"
        )
        try context.expect(
            Set(sent.map { $0.header("traceparent") }).count == 2,
            "every attempt has its own span"
        )
        try context.expect(response.history.count == 2, "the history lists both attempts")
    }
}
