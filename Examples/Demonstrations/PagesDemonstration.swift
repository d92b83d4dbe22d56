import NetKit
import NetKitPaging
import NetKitTesting

/// Reads a list page by page, by cursor or by link.
struct PagesDemonstration: Demonstration {
    let name = "pages"
    let summary = "read a list in pages, by cursor and by link"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.route("GET", "/articles") { request in
            let start = request.queryValue("cursor").flatMap { Int($0) } ?? 1
            let articles = (start...start + 1).map { "article \($0)" }
            let next = start < 5 ? "\(start + 2)" : nil
            let response = try MockResponse.json(Articles(articles: articles, next: next))
            guard let next else { return response }
            return response.header("Link", "<?limit=2&cursor=\(next)>; rel=\"next\"")
        }
    }

    func run(_ context: Context) async throws {
        context.asked(
            "for try await page in endpoint.pages(of: ArticlesRequest(), by: .cursor { $0.next })"
        )
        var pages: [Response<Articles>] = []
        let all = context.endpoint.pages(of: ArticlesRequest(), by: .cursor { $0.next })
        for try await page in all { pages.append(page) }
        context.cameBack(
            pages.map { $0.value.articles.joined(separator: ", ") }
                .joined(separator: "\n")
        )
        try context.expect(pages.count == 3, "there were three pages")

        context.asked(
            "for try await article in endpoint.pages(of: ArticlesRequest()).items(\\.articles)"
        )
        var articles: [String] = []
        for try await article in context.endpoint.pages(of: ArticlesRequest()).items(\.articles) {
            articles.append(article)
            if articles.count == 3 { break }
        }
        context.cameBack(articles.joined(separator: "\n"))
        let sent = try context.ownServer().requests.count
        try context.expect(sent == 3 + 2, "leaving the loop requested no further page")
    }
}
