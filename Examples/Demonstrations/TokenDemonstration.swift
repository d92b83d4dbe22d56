import NetKit
import NetKitTesting

/// A redirect to another server must not take the token along: it would be given away.
struct TokenDemonstration: Demonstration {
    let name = "token-stays-home"
    let summary = "a redirect that would have leaked a token"
    let needsOwnServer = true

    func run(_ context: Context) async throws {
        // Another port is another origin, as another host would be.
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
        context.cameBack("Authorization seen: \(home.headers["Authorization"]?.all ?? [])")
        try context.expect(
            home.headers["Authorization"]?.all == ["Bearer fake-token"],
            "a redirect within the server keeps the token"
        )

        let address = "\(stranger.baseURL)/get"
        context.asked("try await endpoint.value(for: RedirectRequest(to: \"\(address)\"))")
        let away = try await endpoint.value(for: RedirectRequest(to: address))
        context.cameBack("Authorization seen: \(away.headers["Authorization"]?.all ?? [])")
        try context.expect(
            away.headers["Authorization"] == nil,
            "a redirect to another server leaves the token at home"
        )
    }
}
