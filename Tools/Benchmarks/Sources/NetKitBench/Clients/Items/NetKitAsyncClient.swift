import NetKit
import NetKitCache

/// NetKit with `async` calls and default settings, but without retries, so that no failure hides.
struct NetKitAsyncClient: AsyncItemFetching {
    private let endpoint: Endpoint
    private let path: String

    init(_ source: ItemSource, _ engine: NetKitEngine, cache: HTTPCache? = nil) {
        endpoint = engine.endpoint(source.baseURL, connections: source.connections)
        path = source.path
        endpoint.cache = cache
    }

    func fetchItem() async throws -> Item {
        try await endpoint.value(for: ItemRequest(path: path))
    }
}
