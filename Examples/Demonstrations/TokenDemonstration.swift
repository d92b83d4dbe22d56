import NetKit
import NetKitTesting

/// Removes the token when a redirect leads to another origin.
struct TokenDemonstration: Demonstration {
    let name = "token-stays-home"
    let summary = "keep a token from leaking in a redirect"
    let needsOwnServer = true

    func run(_ context: Context) async throws {
        // Another port is another origin, like another host.
        let stranger = try MockServer()
        defer { stranger.stop() }
        stranger.addHTTPBinRoutes()
        context.watch(stranger, as: "another server")

        let endpoint = context.endpoint
        endpoint.headers.authToken = .bearer("fake-token")

        context.asked(
            """
            endpoint.headers.authToken = .bearer("fake-token")
            try await endpoint.value(for: RedirectRequest(to: "/get"))
            """
        )
        let home = try await endpoint.value(for: RedirectRequest(to: "/get"))
        context.cameBack("Authorization received: \(home.headers["Authorization"]?.all ?? [])")
        try context.expect(
            home.headers["Authorization"]?.all == ["Bearer fake-token"],
            "a redirect to the same origin keeps the token"
        )

        let address = "\(stranger.baseURL)/get"
        context.asked("try await endpoint.value(for: RedirectRequest(to: \"\(address)\"))")
        let away = try await endpoint.value(for: RedirectRequest(to: address))
        context.cameBack("Authorization received: \(away.headers["Authorization"]?.all ?? [])")
        try context.expect(
            away.headers["Authorization"] == nil,
            "a redirect to another origin removes the token"
        )
    }
}
