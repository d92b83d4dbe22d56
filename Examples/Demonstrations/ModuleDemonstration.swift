import NetKit

/// Groups requests in an enum, and sends several at once.
struct ModuleDemonstration: Demonstration {
    let name = "module"
    let summary = "group requests in an enum, and send several at once"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.asked("ShopModule.browse(page: 1)")
        // A module returns the response. Decode it at the call site.
        let response = try await context.endpoint.value(for: ShopModule.browse(page: 1))
        let echo = try response.decoded(to: Echo.self)
        context.cameBack("\(response)")
        try context.expect(echo.args["page"]?.all == ["1"], "the grouped request was sent")

        context.asked(
            "endpoint.values(for: (1...5).map { BrowseRequest(page: $0) }, maximumConcurrentRequests: 2)"
        )
        let requests = (1...5).map { BrowseRequest(page: $0) }
        let results = await context.endpoint.values(for: requests, maximumConcurrentRequests: 2)
        let pages = try results.map { try $0.get().args["page"]?.all.first ?? "" }
        context.cameBack("pages \(pages.joined(separator: ", "))")
        try context.expect(
            pages == ["1", "2", "3", "4", "5"],
            "the results are in the order of the requests"
        )
    }
}
