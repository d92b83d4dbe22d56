import Foundation

/// Where a client fetches the item, and over how many connections.
struct ItemSource: Sendable {
    let baseURL: URL
    /// The path of the item: `item`, or `held/item` for an answer that the server holds back.
    var path = "item"
    /// The most connections to the server; nil for the client's default.
    var connections: Int?

    var url: URL { baseURL.appendingPathComponent(path) }
}
