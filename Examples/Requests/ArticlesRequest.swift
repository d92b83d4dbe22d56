import NetKit

/// One page of a list, and the cursor of the next page.
struct Articles: Codable, Sendable {
    let articles: [String]
    var next: String?
}

/// Requests the first page of a list.
final class ArticlesRequest: Request {
    typealias ResponseObjectType = Articles

    let path = "articles"
    let queryParams = [("limit", "2")]
}
