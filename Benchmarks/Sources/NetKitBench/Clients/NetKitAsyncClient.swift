import Foundation
import NetKit
import NetKitAsyncHTTPClient

/// NetKit with `async` calls and default settings, but without retries, so that no failure hides.
struct NetKitAsyncClient: AsyncItemFetching {
    private let endpoint: Endpoint

    init(baseURL: URL) {
        endpoint = Endpoint(baseURL: baseURL, retryingCount: 0)
    }

    /// Makes a client over AsyncHTTPClient, whose default settings let 8 calls through to a host.
    init(overAsyncHTTPClient baseURL: URL) {
        endpoint = Endpoint(
            baseURL: baseURL,
            transport: AsyncHTTPClientTransport(),
            retryingCount: 0
        )
    }

    func fetchItem() async throws -> Item {
        try await endpoint.value(for: ItemRequest())
    }
}
