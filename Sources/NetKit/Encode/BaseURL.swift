import Foundation
import NetKitSupport

/// A parsed base URL, shared by all requests.
package final class BaseURL: Sendable {
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
        else { throw InvalidRequest(url: url) }
        self.origin = origin
        let port = components.port.map { ":\($0)" } ?? ""
        let folded = String(decoding: Authority.folded(Array(host.utf8)), as: UTF8.self)
        root = "\(origin.scheme)://\(folded)\(port)"
        var bytes = Array(components.percentEncodedPath.utf8)
        DotSegments.resolve(&bytes, from: bytes.first == UInt8(ascii: "/") ? 1 : 0)
        endsWithSlash = bytes.last == UInt8(ascii: "/")
        if endsWithSlash { bytes.removeLast() }
        path = String(decoding: bytes, as: UTF8.self)
        query = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
        credentials = try components.credentials
    }

    /// Returns the base URL that a user typed.
    ///
    /// - Parameter text: The absolute URL.
    /// - Returns: A URL that a base can be made of.
    /// - Throws: ``InvalidRequest`` that says what is wrong. It shows nothing of a text that can't be taken apart, as
    ///   that may hold a password.
    static func url(_ text: String) throws(InvalidRequest) -> URL {
        let written = WrittenPath(text)
        guard written.isAbsolute else { throw InvalidRequest(RefusedAddress(relative: text)) }
        guard let url = written.address else {
            throw InvalidRequest(
                .invalidURL(""),
                "its host or port has characters that no URL has there"
            )
        }
        // Whatever keeps it from being a base.
        _ = try BaseURL(url)
        return url
    }
}

extension URLComponents {
    /// The user name and the password; nil without both.
    ///
    /// - Throws: ``InvalidRequest`` if they aren't UTF-8, because they would be sent as empty.
    var credentials: AuthToken? {
        get throws(InvalidRequest) {
            guard (percentEncodedUser == nil) == (user == nil),
                (percentEncodedPassword == nil) == (password == nil)
            else { throw InvalidRequest(.invalidURL(""), "its user name or password isn't UTF-8") }
            let (user, password) = (user ?? "", password ?? "")
            let isEmpty = user.isEmpty && password.isEmpty
            return isEmpty ? nil : .basic(username: user, password: password)
        }
    }
}
