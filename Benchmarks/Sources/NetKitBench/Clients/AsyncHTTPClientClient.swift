import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// swift-server's AsyncHTTPClient with its default settings.
struct AsyncHTTPClientClient: AsyncItemFetching {
    private let url: String
    /// Never shut down: it lives as long as its process.
    private let client = HTTPClient(eventLoopGroupProvider: .singleton)
    private let decoder = JSONDecoder()

    init(baseURL: URL) {
        url = baseURL.appendingPathComponent("item").absoluteString
    }

    func fetchItem() async throws -> Item {
        let request = HTTPClientRequest(url: url)
        let response = try await client.execute(request, timeout: .seconds(60))
        guard response.status == .ok else { throw WrongAnswer.status(Int(response.status.code)) }
        let body = try await response.body.collect(upTo: 1 << 20)
        return try decoder.decode(Item.self, from: body)
    }
}
