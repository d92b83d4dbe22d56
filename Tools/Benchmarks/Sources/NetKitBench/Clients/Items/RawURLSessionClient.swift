import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession as it is used without a library.
///
/// A URLRequest built for every call, `async data(for:)`, and one decoder for all calls. It asks for
/// JSON with an `Accept` field, as NetKit does, so that the same goes over the wire.
struct RawURLSessionClient: AsyncItemFetching {
    /// How the session is set up.
    enum Settings {
        /// As `URLSessionConfiguration.default` is.
        case untouched
        /// Without cookies and cache: as fast as URLSession gets on Linux.
        case tuned
    }

    private let url: URL
    private let session: URLSession
    private let decoder = JSONDecoder()

    init(_ source: ItemSource, _ settings: Settings) {
        url = source.url
        let configuration = settings.configuration
        if let connections = source.connections {
            configuration.httpMaximumConnectionsPerHost = connections
        }
        session = URLSession(configuration: configuration)
    }

    func fetchItem() async throws -> Item {
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode
        guard status == 200 else { throw WrongAnswer.status(status) }
        return try decoder.decode(Item.self, from: data)
    }
}

extension RawURLSessionClient.Settings {
    fileprivate var configuration: URLSessionConfiguration {
        self == .tuned ? .tuned : .default
    }
}
