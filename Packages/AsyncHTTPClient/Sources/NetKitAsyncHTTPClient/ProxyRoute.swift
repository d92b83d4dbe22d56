internal import AsyncHTTPClient
internal import Foundation

/// The way from a transport to a host.
enum ProxyRoute: Hashable, Sendable {
    /// A connection to the host, or whatever ``AsyncHTTPClientTransport/Configuration/proxy`` says.
    case direct
    /// A proxy that makes a tunnel to the host.
    case tunnel(AsyncHTTPClientTransport.Proxy)
    /// An HTTP proxy that is sent the request itself, with its URL in absolute form (RFC 9112, section 3.2.2).
    case forwarded(ForwardProxy)
    /// A proxy that this transport can't use; the text says why and names the way out.
    case unusable(String)
}

/// An HTTP proxy that plain http requests are sent to.
struct ForwardProxy: Hashable, Sendable {
    let host: String
    let port: Int
    /// The value of `Proxy-Authorization`, if the proxy wants one.
    let authorization: String?

    /// The proxy as the authority of a URL.
    var authority: String { Self.authority(host, port) }

    /// A host and a port as they are written in URLs.
    ///
    /// - Parameters:
    ///   - host: A name or an address, in brackets or without.
    ///   - port: The port; nil for none.
    /// - Returns: The authority.
    static func authority(_ host: String, _ port: Int?) -> String {
        let isBare = host.contains(":") && !host.hasPrefix("[")
        return (isBare ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// The URL that leads to the proxy and has the path and query of another one.
    ///
    /// - Parameter url: A URL with a host.
    /// - Returns: The URL; nil if there is none.
    func url(for url: URL) -> URL? {
        let text = url.absoluteURL.absoluteString
        guard let scheme = text.range(of: "://") else { return nil }
        let rest = text[scheme.upperBound...].drop { !"/?#".contains($0) }
        return URL(string: "http://\(authority)\(rest)")
    }
}
