import Foundation
import NetKit
import NetKitTesting
import Testing

extension Engine: CustomTestStringConvertible {
    /// The engines that can talk to the servers over TLS: URLSession trusts the system's authorities alone.
    static let overTLS: [Engine] = isAuthorityTrusted ? allCases : [.curl, .asyncHTTPClient]

    private static let isAuthorityTrusted = setting("NETKIT_AUTHORITY_IS_TRUSTED") != nil

    /// The authority of the servers.
    static let authority = setting("NETKIT_AUTHORITY").map { URL(fileURLWithPath: $0) }

    /// The name by which the suite `servers` knows the engine.
    var testDescription: String {
        switch self {
        case .urlSession: "url-session"
        case .curl: "curl"
        case .asyncHTTPClient: "async-http-client"
        }
    }

    /// An endpoint as users make one over this engine, which may have some connections to the server at a time.
    func endpoint(_ server: RealServer, connections: Int? = nil) throws -> Endpoint {
        let transport = try transport(trusting: Self.authority, connections: connections)
        let endpoint = Endpoint(baseURL: try server.url, transport: transport)
        if let connections { endpoint.maximumConcurrentRequestsPerHost = connections }
        // A slow machine is no failure.
        endpoint.timeouts.idle = .seconds(600)
        return endpoint
    }

    /// An endpoint and what brings faults about between it and the server.
    func faultyEndpoint(_ server: RealServer) throws -> (Endpoint, FaultyTransport) {
        let faulty = FaultyTransport(wrapping: try transport(trusting: Self.authority))
        let endpoint = Endpoint(baseURL: try server.url, transport: faulty)
        endpoint.timeouts.idle = .seconds(600)
        return (endpoint, faulty)
    }
}
