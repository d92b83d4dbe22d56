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

    init(baseURL: URL, _ settings: Settings) {
        url = baseURL.appendingPathComponent("item")
        session = URLSession(configuration: settings.configuration)
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
        let configuration = URLSessionConfiguration.default
        guard self == .tuned else { return configuration }
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        return configuration
    }
}
