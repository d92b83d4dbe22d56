import NetKit

/// Follows redirects, or returns them.
struct RedirectsDemonstration: Demonstration {
    let name = "redirects"
    let summary = "follow redirects, or not"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint

        context.asked(
            #"try await endpoint.response(for: RedirectRequest(to: "get?from=redirect"))"#
        )
        let response = try await endpoint.response(for: RedirectRequest(to: "get?from=redirect"))
        context.cameBack("\(response.http)")
        try context.expect(
            response.value.args["from"]?.all == ["redirect"],
            "the value is the response of the second URL"
        )

        endpoint.redirectPolicy = .doNotFollow
        context.asked("the same call with endpoint.redirectPolicy = .doNotFollow")
        do {
            _ = try await endpoint.value(for: RedirectRequest(to: "get"))
            context.cameBack("a value")
        } catch {
            context.cameBack("\(error)")
            return try context.expect(
                error.response?.headers[.location] == "get",
                "the redirect is the response"
            )
        }
        throw DemonstrationError("the redirect was followed")
    }
}
