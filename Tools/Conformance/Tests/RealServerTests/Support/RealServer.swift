import Foundation
import Testing

/// A server that `Tools/scripts/conformance --servers` started, by the variable that has its URL.
enum RealServer: String, Sendable {
    case nginx = "NETKIT_NGINX"
    case nginxTLS = "NETKIT_NGINX_TLS"
    /// TLS without HTTP/2.
    case nginxOld = "NETKIT_NGINX_OLD"
    case httpbin = "NETKIT_HTTPBIN"
    case registry = "NETKIT_REGISTRY"
    case etcd = "NETKIT_ETCD"
    case jupyter = "NETKIT_JUPYTER"
    /// nginx in front of jupyter_server, which refuses expired tokens.
    case jupyterProxy = "NETKIT_JUPYTER_PROXY"
    case webDAV = "NETKIT_WEBDAV"
    case graphQL = "NETKIT_GRAPHQL"
    /// An authorization server.
    case oauth = "NETKIT_OAUTH"
    case modelContext = "NETKIT_MCP"

    var isRunning: Bool { setting(rawValue) != nil }

    var url: URL {
        get throws { try #require(setting(rawValue).flatMap { URL(string: $0) }, "\(rawValue)") }
    }
}

/// A variable of the environment; nil where it is empty.
func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
}

extension Trait where Self == ConditionTrait {
    /// Runs the tests where a server does.
    static func needs(_ server: RealServer) -> Self {
        .enabled(if: server.isRunning, "Tools/scripts/conformance --servers starts the server")
    }
}
