import NetKit

/// Not every call deserves a type of its own.
struct DefaultRequestDemonstration: Demonstration {
    let name = "default-request"
    let summary = "requests without a type of their own"
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
        try context.expect(echo.headers["X-Trace"]?.all == ["abc"], "the header arrived")

        // `response` gives what `value` gives and the HTTP response around it.
        context.asked(#"DefaultRequest<Void, String?>(path: "status/204", method: .delete)"#)
        let delete = DefaultRequest<Void, String?>(path: "status/204", method: .delete)
        let response = try await delete.execute(on: context.endpoint).response
        context.cameBack("\(response.http)")
        try context.expect(response.http.status == 204, "an empty response is a Void")
    }
}
