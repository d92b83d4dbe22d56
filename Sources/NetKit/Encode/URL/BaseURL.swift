import Foundation

/// What paths are joined to, taken apart once, and shared by all requests.
final class BaseURL: Sendable {
    /// `https://host:port`, scheme and host in lower case.
    let root: String
    /// The path without its last slash; percent-encoded, its dot segments resolved.
    let path: String
    /// Whether the path ended with a slash.
    let endsWithSlash: Bool
    /// The query, percent-encoded; nil without one.
    let query: String?
    /// The user name and password that stood in the URL.
    ///
    /// They are sent as Basic authentication, and stand in no URL afterwards. A user name with a
    /// colon makes the request one that is refused, as in ``AuthToken/basic(username:password:)``.
    let credentials: AuthToken?
    let origin: Origin

    /// Takes a URL apart.
    ///
    /// - Parameter url: http or https, with a host. A fragment is left out.
    /// - Throws: ``InvalidRequest`` if nothing can be sent there.
    init(_ url: URL) throws(InvalidRequest) {
        guard let origin = Origin(url),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = components.encodedHost
        else { throw InvalidRequest(.invalidURL(RedactedURL(url).description)) }
        self.origin = origin
        let port = components.port.map { ":\($0)" } ?? ""
        root = "\(origin.scheme)://\(host.lowercased())\(port)"
        var bytes = Array(components.percentEncodedPath.utf8)
        DotSegments.resolve(&bytes, from: bytes.first == UInt8(ascii: "/") ? 1 : 0)
        endsWithSlash = bytes.last == UInt8(ascii: "/")
        if endsWithSlash { bytes.removeLast() }
        path = String(decoding: bytes, as: UTF8.self)
        query = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
        let (user, password) = (components.user ?? "", components.password ?? "")
        credentials =
            user.isEmpty && password.isEmpty ? nil : .basic(username: user, password: password)
    }
}
