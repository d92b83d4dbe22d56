import NetKit
import NetKitTesting

/// Finds mistakes in a request without sending it.
struct LintDemonstration: Demonstration {
    let name = "lint"
    let summary = "find mistakes in a request without sending it"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.asked("lint(StatusRequest(code: 200))")
        let none = lint(StatusRequest(code: 200), on: context.endpoint)
        context.cameBack("\(none)")
        try context.expect(none.isEmpty, "the request has no findings")

        context.asked(
            """
            lint(DefaultRequest<Void, ServerMessage>(
                path: "users/{id}",
                queryParams: [("access_token", "…")],
                body: .params(["name": "Ann"])
            ))
            """
        )
        let careless = DefaultRequest<Void, ServerMessage>(
            path: "users/{id}",
            queryParams: [("access_token", "t")],
            body: .params(["name": "Ann"])
        )
        let found = lint(careless, on: try Endpoint("https://api.example.com"))
        context.cameBack(found.map(\.description).joined(separator: "\n"))
        try context.expect(
            found.map(\.kind) == [
                .placeholderWithoutParameter, .unexpectedBody, .secretInQuery,
            ],
            "lint reports all findings, not only the first"
        )
    }
}
