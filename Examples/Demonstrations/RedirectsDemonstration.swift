import NetKit

/// Redirects are followed, unless the endpoint is told not to.
struct RedirectsDemonstration: Demonstration {
    let name = "redirects"
    let summary = "following redirects, or not"
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
            "the value is what the second address answered"
        )

        endpoint.redirectPolicy = .doNotFollow
        context.asked("the same with endpoint.redirectPolicy = .doNotFollow")
        do {
            _ = try await endpoint.value(for: RedirectRequest(to: "get"))
            context.cameBack("a value")
        } catch {
            context.cameBack("\(error)")
            return try context.expect(
                error.response?.headers[.location] == "get",
                "the redirect itself is the response"
            )
        }
        throw Misbehaviour("the redirect was followed")
    }
}
