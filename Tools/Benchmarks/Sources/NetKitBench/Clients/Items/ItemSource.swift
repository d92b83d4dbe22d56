import Foundation

/// Where a client fetches the item, and over how many connections.
struct ItemSource: Sendable {
    let baseURL: URL
    /// The path of the item: `item`, or `held/item` for an answer that the server holds back.
    var path = "item"
    /// The most connections to the server; nil for the client's default.
    var connections: Int?

    /// The folder of a client with a cache on disk.
    var cacheFolder: URL?

    /// The same item, which a cache may store.
    var cacheable: ItemSource {
        var source = self
        source.path = "cacheable/item"
        return source
    }

    var url: URL { baseURL.appendingPathComponent(path) }
}
