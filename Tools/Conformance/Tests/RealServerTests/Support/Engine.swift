import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The engines that every scenario runs over.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case urlSession = "url-session"
    case curl
    case asyncHTTPClient = "async-http-client"

    /// The engines that can talk to the servers over TLS: URLSession trusts the system's authorities alone.
    static let overTLS: [Engine] = isAuthorityTrusted ? allCases : [.curl, .asyncHTTPClient]

    private static let isAuthorityTrusted = setting("NETKIT_AUTHORITY_IS_TRUSTED") != nil

    var testDescription: String { rawValue }

    /// An endpoint as users make one over this engine, which may have some connections to the server at a time.
    func endpoint(_ server: RealServer, connections: Int? = nil) throws -> Endpoint {
        let transport = try transport(connections: connections)
        let endpoint = Endpoint(baseURL: try server.url, transport: transport)
        if let connections { endpoint.maximumConcurrentRequestsPerHost = connections }
        // A slow machine is no failure.
        endpoint.timeouts.idle = .seconds(600)
        return endpoint
    }

    /// An endpoint and what brings faults about between it and the server.
    func faultyEndpoint(_ server: RealServer) throws -> (Endpoint, FaultyTransport) {
        let faulty = FaultyTransport(wrapping: try transport())
        let endpoint = Endpoint(baseURL: try server.url, transport: faulty)
        endpoint.timeouts.idle = .seconds(600)
        return (endpoint, faulty)
    }

    /// A transport over this engine, which trusts the authority in a file; URLSession trusts the system's.
    func transport(
        trusting file: URL? = Engine.authority,
        connections: Int? = nil
    ) throws -> any Transport {
        let authority = try file.map { try Data(contentsOf: $0) }
        switch self {
        case .urlSession:
            let configuration = URLSessionConfiguration.default
            if let connections { configuration.httpMaximumConnectionsPerHost = connections }
            return URLSessionTransport(configuration: configuration)
        case .curl:
            var configuration = CurlTransport.Configuration()
            if let authority { configuration.tls.roots = .only(authority) }
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return CurlTransport(configuration: configuration)
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            if let authority {
                configuration.tls.roots = .only(try Certificates(pem: authority))
            }
            if let connections { configuration.maximumConnectionsPerHost = connections }
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }

    /// The authority of the servers.
    private static let authority = setting("NETKIT_AUTHORITY").map { URL(fileURLWithPath: $0) }
}
