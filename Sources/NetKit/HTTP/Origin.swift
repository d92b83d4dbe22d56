package import Foundation

/// Scheme, host and port: what credentials and connections belong to (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// The origin of a URL; nil unless it is http or https and names a host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    package func hash(into hasher: inout Hasher) {
        // Host and port tell nearly all origins apart.
        hasher.combine(host)
        hasher.combine(port)
    }
}
