internal import Foundation
internal import NetKit

/// The proxies that the environment names, by curl's rules: both engines send requests the same way.
///
/// - `http_proxy` is for http, `https_proxy` or `HTTPS_PROXY` for https, `all_proxy` or `ALL_PROXY` for both.
///   `HTTP_PROXY` is ignored: in a CGI program it holds the field `Proxy` of an incoming request.
/// - `no_proxy` or `NO_PROXY` lists the exceptions.
/// - The lower-case variable wins. An empty variable counts as unset.
struct EnvironmentProxies: Hashable, Sendable {
    /// No proxy at all.
    static let none = EnvironmentProxies([:])

    private let http: ProxyRoute
    private let https: ProxyRoute
    private let exceptions: ProxyExceptions

    /// Reads an environment.
    ///
    /// - Parameter environment: Variables and their values.
    init(_ environment: [String: String]) {
        func first(_ names: String...) -> (name: String, value: String)? {
            for name in names {
                if let value = environment[name], !value.isEmpty { return (name, value) }
            }
            return nil
        }
        func route(_ variable: (name: String, value: String)?, isSecure: Bool) -> ProxyRoute {
            variable.map { Self.route($0.value, in: $0.name, isSecure: isSecure) } ?? .direct
        }
        http = route(first("http_proxy", "all_proxy", "ALL_PROXY"), isSecure: false)
        https = route(
            first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
            isSecure: true
        )
        exceptions = ProxyExceptions(first("no_proxy", "NO_PROXY")?.value ?? "")
    }

    /// The ways that need connections of their own.
    var routes: Set<ProxyRoute> { [http, https] }

    /// The way to a host.
    ///
    /// - Parameters:
    ///   - host: The host, as in the URL.
    ///   - isSecure: Whether the URL is https.
    /// - Returns: The way.
    func route(to host: String, isSecure: Bool) -> ProxyRoute {
        let route = isSecure ? https : http
        guard route != .direct, !exceptions.contain(host) else { return .direct }
        return route
    }

    private static func route(
        _ value: String,
        in variable: String,
        isSecure: Bool
    ) -> ProxyRoute {
        func unusable(_ reason: String) -> ProxyRoute {
            .unusable("the proxy in \(variable), \(reason) (set the configuration's proxy)")
        }
        guard let proxy = ProxyAddress(value) else { return unusable("which is no URL of a host") }
        switch proxy.scheme {
        case "http" where isSecure:
            let authorization = proxy.user.map {
                AsyncHTTPClientTransport.Proxy.Authorization.basic(
                    username: $0,
                    password: proxy.password
                )
            }
            return .tunnel(
                .http(host: proxy.host, port: proxy.port, authorization: authorization)
            )
        case "http":
            let credentials = proxy.user.map { Data("\($0):\(proxy.password)".utf8) }
            return .forwarded(
                ForwardProxy(
                    host: proxy.host,
                    port: proxy.port,
                    authorization: credentials.map { "Basic \($0.base64EncodedString())" }
                )
            )
        case "socks5", "socks5h":
            guard proxy.user == nil else { return unusable("a SOCKS proxy with a password") }
            return .tunnel(.socks(host: proxy.host, port: proxy.port))
        default: return unusable("whose scheme is neither http nor socks5")
        }
    }
}
