import Foundation
import RawCurlLoop

/// The least that a Swift client over libcurl does: a thread with a loop in C, and a continuation for each call.
struct RawCurlAsyncClient: AsyncItemFetching {
    private let loop: RawCurlLoop
    private let decoder = JSONDecoder()

    init(_ source: ItemSource) {
        loop = RawCurlLoop(source.url, connections: source.connections)
    }

    func fetchItem() async throws -> Item {
        try decoder.decode(Item.self, from: try await loop.get())
    }
}
