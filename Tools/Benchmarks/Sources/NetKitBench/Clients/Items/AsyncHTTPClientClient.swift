import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// swift-server's AsyncHTTPClient with its default settings but for tracing, which is off.
struct AsyncHTTPClientClient: AsyncItemFetching {
    private let url: String
    private let client: HTTPClient
    private let decompresses: Bool
    private let decoder = JSONDecoder()

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - source: Where the item is.
    ///   - decompresses: Whether it asks for gzip and undoes it, as NetKit's transport does.
    init(_ source: ItemSource, decompresses: Bool = false) {
        url = source.url.absoluteString
        client = HTTPClient.measured(decompresses: decompresses, connections: source.connections)
        self.decompresses = decompresses
    }

    func fetchItem() async throws -> Item {
        var request = HTTPClientRequest(url: url)
        if decompresses { request.headers.add(name: "Accept-Encoding", value: "gzip") }
        let response = try await client.execute(request, timeout: .minutes(10))
        guard response.status == .ok else { throw WrongAnswer.status(Int(response.status.code)) }
        let body = try await response.body.collect(upTo: 1 << 20)
        return try decoder.decode(Item.self, from: body)
    }
}
