import Foundation

/// The variable of the environment that leads requests to a proxy, by libcurl's rules.
enum ProxyVariable {
    /// Returns the name of the variable, if a connection for a URL was one to a proxy.
    ///
    /// - Parameters:
    ///   - host: The host that the connection was for.
    ///   - port: Its port.
    ///   - url: The URL of the request.
    ///   - environment: The variables. Defaults to those of the process.
    /// - Returns: The name, or nil for a connection to the host of the URL.
    static func name(
        to host: some StringProtocol,
        _ port: some StringProtocol,
        for url: URL,
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard let origin = Origin(url), origin.host != host || "\(origin.port)" != port else {
            return nil
        }
        let own = origin.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (own + ["all_proxy", "ALL_PROXY"]).first { environment[$0]?.contains(host) == true }
    }
}
