import Foundation

/// A parsed base URL, shared by all requests.
final class BaseURL: Sendable {
    /// The scheme, host and port, as in `https://host:port`, in lowercase.
    let root: String
    /// The percent-encoded path with resolved dot segments, without a trailing slash.
    let path: String
    /// Whether the path ends with a slash.
    let endsWithSlash: Bool
    /// The percent-encoded query, or nil without one.
    let query: String?
    /// The user name and password in the URL.
    ///
    /// They are sent as Basic authentication, and removed from the URL. A user name with a colon makes every request
    /// invalid, as in ``AuthToken/basic(username:password:)``.
    let credentials: AuthToken?
    let origin: Origin

    /// Parses a base URL.
    ///
    /// - Parameter url: An http or https URL with a host. A fragment is removed.
    /// - Throws: ``InvalidRequest`` if the URL is invalid.
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
