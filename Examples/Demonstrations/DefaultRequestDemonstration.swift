import NetKit

/// Calls without a custom request type.
struct DefaultRequestDemonstration: Demonstration {
    let name = "default-request"
    let summary = "send a request without a custom type"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.asked(
            """
            DefaultRequest<Echo, String?>(
                path: "get", queryParams: [("page", "2")], headers: ["X-Trace": "abc"]
            )
            """
        )
        let get = DefaultRequest<Echo, String?>(
            path: "get",
            queryParams: [("page", "2")],
            headers: ["X-Trace": "abc"]
        )
        let echo = try await context.endpoint.value(for: get)
        context.cameBack("Echo with args \(echo.args.mapValues(\.all))")
        try context.expect(echo.args["page"]?.all == ["2"], "the query arrived")
        try context.expect(echo.headers["X-Trace"]?.all == ["abc"], "the header field arrived")

        // `response` has the value and the HTTP response.
        context.asked(#"DefaultRequest<Void, String?>(path: "status/204", method: .delete)"#)
        let delete = DefaultRequest<Void, String?>(path: "status/204", method: .delete)
        let response = try await delete.execute(on: context.endpoint).response
        context.cameBack("\(response.http)")
        try context.expect(response.http.status == 204, "an empty response decodes to Void")
    }
}
