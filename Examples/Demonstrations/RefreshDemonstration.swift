import NetKit
import NetKitTesting

/// Several calls with an expired token share one refresh.
struct RefreshDemonstration: Demonstration {
    let name = "refresh"
    let summary = "refresh a token once for several calls"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("POST", "/token") { _ in .text("fresh") }
        server.route("GET", "/bearer") { request in
            request.header("Authorization") == "Bearer fresh" ? .text("secret") : .status(401)
        }
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint
        endpoint.authentication = BearerAuthentication(token: "stale") { _, endpoint in
            try await endpoint.value(
                for: DefaultRequest<String, ServerMessage>(path: "token", method: .post)
            )
        }
        context.asked("three calls at once, with an expired token")
        let request = DefaultRequest<String, ServerMessage>(path: "bearer", method: .get)
        async let first = endpoint.value(for: request)
        async let second = endpoint.value(for: request)
        async let third = endpoint.value(for: request)
        let values = try await [first, second, third]
        context.cameBack(values.joined(separator: ", "))
        try context.expect(values == ["secret", "secret", "secret"], "all calls succeeded")
        let refreshes = try context.ownServer().requests.filter { $0.path == "/token" }
        try context.expect(refreshes.count == 1, "the calls shared one refresh")
    }
}
