import NetKit

/// What is on one page of a list, and where the next one begins.
struct Articles: Codable, Sendable {
    let articles: [String]
    var next: String?
}

/// The first page of a list; the others are found by what the pages say.
final class ArticlesRequest: Request {
    typealias ResponseObjectType = Articles

    let path = "articles"
    let queryParams = [("limit", "2")]
}
