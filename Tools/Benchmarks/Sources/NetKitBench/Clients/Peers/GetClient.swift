#if GET
import Foundation
import Get

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Get with its default settings.
struct GetClient: AsyncItemFetching {
    private let path: String
    private let client: APIClient

    init(_ source: ItemSource) {
        path = source.path
        client = APIClient(baseURL: source.baseURL) { configuration in
            guard let connections = source.connections else { return }
            configuration.sessionConfiguration.httpMaximumConnectionsPerHost = connections
        }
    }

    func fetchItem() async throws -> Item {
        try await client.send(Request<Item>(path: path)).value
    }
}
#endif
