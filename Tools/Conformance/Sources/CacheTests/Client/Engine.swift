import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What sends the requests.
enum Engine: String {
    case urlSession = "urlsession"
    case curl
    case asyncHTTPClient = "asynchttpclient"

    /// A transport whose requests wait for nothing but the server.
    func transport() -> any Transport {
        let connections = 64
        switch self {
        case .urlSession:
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = connections
            return URLSessionTransport(configuration: configuration)
        case .curl:
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = connections
            return CurlTransport(configuration: configuration)
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            configuration.maximumConnectionsPerHost = connections
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }
}
