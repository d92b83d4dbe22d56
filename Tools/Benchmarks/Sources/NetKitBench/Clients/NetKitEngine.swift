import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What carries NetKit's requests.
enum NetKitEngine {
    case urlSession
    case curl
    case asyncHTTPClient

    /// An endpoint with default settings, but without retries, so that no failure hides.
    ///
    /// - Parameters:
    ///   - baseURL: The server.
    ///   - connections: The most connections to the server; nil for the default.
    /// - Returns: The endpoint.
    func endpoint(_ baseURL: URL, connections: Int? = nil) -> Endpoint {
        let session = URLSessionConfiguration.default
        if let connections { session.httpMaximumConnectionsPerHost = connections }
        let endpoint =
            switch self {
            case .urlSession:
                Endpoint(baseURL: baseURL, sessionConfiguration: session, retryingCount: 0)
            case .curl:
                Endpoint(
                    baseURL: baseURL,
                    transport: Self.curl(connections),
                    sessionConfiguration: session,
                    retryingCount: 0
                )
            case .asyncHTTPClient:
                Endpoint(
                    baseURL: baseURL,
                    transport: Self.transport(connections),
                    sessionConfiguration: session,
                    retryingCount: 0
                )
            }
        if let connections { endpoint.maximumConcurrentRequests = connections }
        return endpoint
    }

    private static func curl(_ connections: Int?) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        if let connections { configuration.maximumConnectionsPerHost = connections }
        return CurlTransport(configuration: configuration)
    }

    private static func transport(_ connections: Int?) -> AsyncHTTPClientTransport {
        var configuration = AsyncHTTPClientTransport.Configuration()
        if let connections { configuration.maximumConnectionsPerHost = connections }
        return AsyncHTTPClientTransport(configuration: configuration)
    }
}
