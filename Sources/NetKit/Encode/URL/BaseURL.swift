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

    /// Returns the base URL that a user typed.
    ///
    /// - Parameter text: The whole URL.
    /// - Returns: A URL that a base can be made of.
    /// - Throws: ``InvalidRequest`` that says what is wrong. It shows nothing of a text that can't be taken apart, as
    ///   that may hold a password.
    static func url(_ text: String) throws(InvalidRequest) -> URL {
        let written = WrittenPath(text)
        guard written.isAbsolute else {
            throw problem(ofRelative: text)
        }
        guard let url = written.address else {
            throw InvalidRequest(
                .invalidURL(""),
                "its host or port has characters that no URL has there"
            )
        }
        if let problem = Origin.problem(of: url) {
            throw InvalidRequest(.invalidURL("\(RedactedURL(url))"), problem)
        }
        // Whatever else keeps it from being a base.
        _ = try BaseURL(url)
        return url
    }

    /// What is wrong with a text that doesn't begin with `http://` or `https://`.
    private static func problem(ofRelative text: String) -> InvalidRequest {
        guard !text.isEmpty else { return InvalidRequest(.invalidURL(""), "the text is empty") }
        if let mark = text.firstRange(of: "://") {
            let scheme = text[..<mark.lowerBound]
            let isScheme = scheme.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
                default: false
                }
            }
            if isScheme, !scheme.isEmpty, scheme.utf8.count <= 32 {
                return InvalidRequest(
                    .invalidURL("\(scheme)://"),
                    "the scheme is \(scheme); write https or http"
                )
            }
        }
        let isHost = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x3A: true
            default: false
            }
        }
        guard isHost, text.contains("."), text.utf8.count <= 100 else {
            return InvalidRequest(
                .invalidURL(""),
                "the text has no scheme; write https:// before the host"
            )
        }
        return InvalidRequest(.invalidURL(text), "write https://\(text)")
    }
}
