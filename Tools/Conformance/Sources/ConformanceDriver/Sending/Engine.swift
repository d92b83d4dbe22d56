import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// One file for the programs and the tests of this package, which link to it.

/// An HTTP engine under NetKit.
enum Engine: String, CaseIterable, Decodable, Sendable {
    case urlSession = "urlsession"
    case curl
    case asyncHTTPClient = "asynchttpclient"

    /// Creates a transport over this engine.
    ///
    /// - Parameters:
    ///   - authorities: The PEM file of the authorities to trust, or nil for the system's, which URLSession trusts in any
    ///     case.
    ///   - connections: The maximum number of connections to a host, or nil for the engine's own.
    /// - Returns: The transport.
    /// - Throws: An error if the file can't be read.
    func transport(
        trusting authorities: URL? = nil,
        connections: Int? = nil
    ) throws -> any Transport {
        let pem = try authorities.map { try Data(contentsOf: $0) }
        switch self {
        case .urlSession:
            let configuration = URLSessionConfiguration.default
            if let connections { configuration.httpMaximumConnectionsPerHost = connections }
            return URLSessionTransport(configuration: configuration)
        case .curl:
            var configuration = CurlTransport.Configuration()
            if let pem { configuration.tls.roots = .only(pem) }
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return CurlTransport(configuration: configuration)
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            if let pem { configuration.tls.roots = .only(try Certificates(pem: pem)) }
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }
}
