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
        // Whatever keeps it from being a base.
        _ = try BaseURL(url)
        return url
    }

    /// What is wrong with a text that doesn't begin with `http://` or `https://`.
    private static func problem(ofRelative text: String) -> InvalidRequest {
        guard let first = text.first else {
            return InvalidRequest(.invalidURL(""), "the text is empty")
        }
        if first.isWhitespace {
            return InvalidRequest(.invalidURL(""), "the text begins with a blank")
        }
        if let mark = text.firstRange(of: "://") {
            let scheme = text[..<mark.lowerBound]
            if !scheme.isEmpty, scheme.utf8.count <= 32, scheme.utf8.allSatisfy(isSchemeByte) {
                let url = URL(string: text, encodingInvalidCharacters: false)
                let refusal = url.map { InvalidRequest(url: $0) }
                if case .invalidURL(let shown)? = refusal?.reason, !shown.isEmpty, let refusal {
                    return refusal
                }
                return InvalidRequest(
                    .invalidURL("\(scheme)://"),
                    Origin.problem(ofScheme: "\(scheme)")
                )
            }
        }
        guard let address = addressWithoutScheme(text) else {
            return InvalidRequest(.invalidURL(""), "the text has no scheme: begin it with https://")
        }
        return InvalidRequest(.invalidURL(address), "write https://\(address)")
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    /// The redacted form of a text such as `api.example.com:8080/v1`, which only lacks a scheme.
    ///
    /// Nil for any other text, which may be a secret.
    private static func addressWithoutScheme(_ text: String) -> String? {
        let authority = text.prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let isHost = labels.count > 1 && labels.allSatisfy { (1...63).contains($0.utf8.count) }
        guard parts.count == 1 || parts.count == 2 && parts[1].utf8.count <= 5,
            parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isWholeNumber) }),
            parts[0] == "localhost"
                || isHost
                    && (labels.last?.allSatisfy(\.isLetter) == true
                        || labels.allSatisfy { $0.allSatisfy(\.isWholeNumber) }),
            !text.contains("@"), let url = WrittenPath("https://\(text)").address,
            Origin(url) != nil
        else { return nil }
        return String(RedactedURL(url).description.dropFirst("https://".count))
    }
}
