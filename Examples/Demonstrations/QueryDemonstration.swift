import NetKit
import NetKitTesting

/// Sends query values that the server reads back unchanged, whatever their characters.
struct QueryDemonstration: Demonstration {
    let name = "query"
    let summary = "send query parameters in order, with special characters"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let query = [
            ("b", "2"), ("a", "1"), ("a", "3"),
            ("text", "1 + 1 = 2 & 100 % #?/"), ("name", "Zoë 🦊"), ("empty", ""),
        ]
        context.asked(
            """
            SearchRequest(queryParams: [
                ("b", "2"), ("a", "1"), ("a", "3"),
                ("text", "1 + 1 = 2 & 100 % #?/"), ("name", "Zoë 🦊"), ("empty", ""),
            ])
            """
        )
        let echo = try await context.endpoint.value(for: SearchRequest(queryParams: query))
        let read = echo.args.mapValues(\.all)
        context.cameBack(
            read.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        )
        try context.expect(
            read == Dictionary(grouping: query, by: \.0).mapValues { $0.map(\.1) },
            "the server read every value unchanged"
        )
        if let sent = context.server?.requests.last {
            try context.expect(
                sent.query.map(\.name) == query.map(\.0),
                "the order is unchanged"
            )
        }
    }
}
