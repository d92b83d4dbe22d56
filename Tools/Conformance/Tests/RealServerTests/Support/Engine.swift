import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl
import NetKitTesting
import Testing

/// The engines that every scenario runs over.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case urlSession = "url-session"
    case curl
    case asyncHTTPClient = "async-http-client"

    /// The engines that can talk to the servers over TLS: URLSession trusts the system's authorities alone.
    static let overTLS: [Engine] = isAuthorityTrusted ? allCases : [.curl, .asyncHTTPClient]

    private static let isAuthorityTrusted = setting("NETKIT_AUTHORITY_IS_TRUSTED") != nil

    var testDescription: String { rawValue }

    /// An endpoint as users make one over this engine.
    func endpoint(_ server: RealServer) throws -> Endpoint {
        let endpoint = Endpoint(baseURL: try server.url, transport: try transport())
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
    func transport(trusting authority: URL? = Engine.authority) throws -> any Transport {
        switch self {
        case .urlSession:
            return URLSessionTransport()
        case .curl:
            var configuration = CurlTransport.Configuration()
            if let authority { configuration.tls.roots = .only(try Data(contentsOf: authority)) }
            return CurlTransport(configuration: configuration)
        case .asyncHTTPClient:
            var configuration = AsyncHTTPClientTransport.Configuration()
            if let authority {
                configuration.tls.roots = .only(try Certificates(pem: Data(contentsOf: authority)))
            }
            return AsyncHTTPClientTransport(configuration: configuration)
        }
    }

    /// The authority of the servers.
    private static let authority = setting("NETKIT_AUTHORITY").map { URL(fileURLWithPath: $0) }
}
