import NetKit
import NetKitTesting

/// Interceptors around each attempt, an observer of everything, and the history of the call.
struct InterceptorsDemonstration: Demonstration {
    let name = "interceptors"
    let summary = "what goes around a call: interceptors, observers, its history"
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
            "every attempt has the program's name"
        )
        try context.expect(
            Set(sent.map { $0.header("traceparent") }).count == 2,
            "every attempt is a span of its own"
        )
        try context.expect(response.history.count == 2, "the history has both attempts")
    }
}
