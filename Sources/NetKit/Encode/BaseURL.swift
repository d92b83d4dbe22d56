import Foundation

/// What paths are joined to, taken apart once.
struct BaseURL: Sendable {
    /// `https://host:port`, scheme and host in lower case.
    let root: String
    /// The path without its last slash; percent-encoded.
    let path: String
    /// Whether the path ended with a slash.
    let endsWithSlash: Bool
    /// The query, percent-encoded; nil without one.
    let query: String?
    /// The user name and password that stood in the URL.
    ///
    /// They are sent as Basic authentication.
    let credentials: AuthToken?
    let origin: Origin

    /// Takes a URL apart.
    ///
    /// - Parameter url: http or https, with a host. A fragment is left out.
    /// - Throws: ``InvalidRequest`` if nothing can be sent there.
    init(_ url: URL) throws(InvalidRequest) {
        guard let origin = Origin(url),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = components.encodedHost, !host.isEmpty,
            components.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw InvalidRequest(.invalidURL(RedactedURL(url).description)) }
        self.origin = origin
        let port = components.port.map { ":\($0)" } ?? ""
        root = "\(origin.scheme)://\(host.lowercased())\(port)"
        let path = components.percentEncodedPath
        endsWithSlash = path.hasSuffix("/")
        self.path = endsWithSlash ? String(path.dropLast()) : path
        query = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
        credentials = components.user.map {
            .basic(username: $0, password: components.password ?? "")
        }
    }
}
