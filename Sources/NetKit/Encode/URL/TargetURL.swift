package import Foundation

/// The URL of a request, joined from the base URL, the path and the query.
///
/// - `base/api` and `base/api/` with `x` or `/x` all become `base/api/x`.
/// - A path can contain a query. Only an absolute URL has a fragment, which isn't sent; otherwise `#` is encoded.
/// - `//host` is a path, never another host. `https://…` is an absolute URL, and any other scheme is part of a path.
/// - Dot segments are resolved within the path and never lead above the base URL.
/// - Percent-encoded triplets are kept, and other invalid characters are encoded.
/// - The query consists of the base URL's, the endpoint's, the path's and the request's parameters. Equal names are
///   repeated, except that the path's and the request's parameters override the endpoint's.
package struct TargetURL {
    /// The joined URL.
    package let url: URL
    let origin: Origin
    /// Whether the URL has the endpoint's origin, so that it may receive the endpoint's credentials.
    let isOnBaseOrigin: Bool
    /// The credentials in an absolute URL, if any.
    let credentials: AuthToken?

    package init(
        base endpoint: BaseURL,
        path text: String,
        query: TargetQuery
    ) throws(InvalidRequest) {
        var path = WrittenPath(text)
        var base = endpoint
        var baseQuery = endpoint.query
        var pathQuery = path.query
        if path.isAbsolute {
            guard let address = path.address else {
                throw InvalidRequest(
                    .invalidURL(""),
                    "the path begins with a scheme, but is no URL"
                )
            }
            base = try BaseURL(address)
            path = WrittenPath(base.endsWithSlash ? "/" : "")
            baseQuery = nil
            pathQuery = base.query.map { $0[...] }
            credentials = base.credentials
            isOnBaseOrigin = base.origin == endpoint.origin
        } else {
            credentials = nil
            isOnBaseOrigin = true
        }

        origin = base.origin
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + text.utf8.count)
        bytes += base.root.utf8
        bytes += base.path.utf8
        path.append(endsWithSlash: base.endsWithSlash, to: &bytes)
        var query = query
        // They can be as secret as credentials.
        if !isOnBaseOrigin { query.defaults = [] }
        query.append(after: baseQuery, path: pathQuery, to: &bytes)
        let joined = String(decoding: bytes, as: UTF8.self)
        guard let url = URL(string: joined, encodingInvalidCharacters: false) else {
            throw InvalidRequest(.invalidURL(""), "base URL and path don't form a URL")
        }
        self.url = url
    }
}

/// A request's path as written, split at its first `?`.
package struct WrittenPath {
    /// Whether the path is an absolute http or https URL, whose fragment is removed.
    let isAbsolute: Bool
    /// The text before the query.
    package let path: Substring
    /// The query, or nil without one.
    package let query: Substring?

    package init(_ text: String) {
        let bytes = text.utf8
        isAbsolute = Self.isAbsolute(bytes)
        let fragment = isAbsolute ? bytes.firstIndex(of: UInt8(ascii: "#")) : nil
        let end = fragment ?? bytes.endIndex
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            path = text[..<mark]
            query = text[bytes.index(after: mark)..<end]
        } else {
            path = text[..<end]
            query = nil
        }
    }

    private static func isAbsolute(_ text: String.UTF8View) -> Bool {
        guard let first = text.first, HTTPToken.folded(first) == UInt8(ascii: "h") else {
            return false
        }
        let start = text.lazy.map { HTTPToken.folded($0) }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// The path as an absolute URL, with invalid characters encoded.
    var address: URL? {
        let bytes = path.utf8
        guard
            let host = bytes.firstIndex(of: UInt8(ascii: "/")).map({ bytes.index($0, offsetBy: 2) })
        else { return nil }
        let end = bytes[host...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        // Browsers end the host at a backslash, and would use a different host.
        guard !bytes[..<end].contains(UInt8(ascii: "\\")) else { return nil }
        // Foundation converts international names to ASCII. A host can't contain anything else that it encodes.
        guard let root = URL(string: String(path[..<end]))?.absoluteString else { return nil }
        var address = Array(root.utf8)
        PercentEncoding.append(path[end...], as: .path, to: &address)
        if let query {
            address.append(UInt8(ascii: "?"))
            PercentEncoding.append(query, as: .query, to: &address)
        }
        return URL(
            string: String(decoding: address, as: UTF8.self),
            encodingInvalidCharacters: false
        )
    }

    /// Appends the encoded path to a base without a trailing slash.
    func append(endsWithSlash: Bool, to bytes: inout [UInt8]) {
        guard !path.isEmpty else {
            if endsWithSlash { bytes.append(UInt8(ascii: "/")) }
            return
        }
        bytes.append(UInt8(ascii: "/"))
        let start = bytes.count
        let isRooted = path.utf8.first == UInt8(ascii: "/")
        let first = isRooted ? path.utf8.index(after: path.startIndex) : path.startIndex
        PercentEncoding.append(path[first...], as: .path, to: &bytes)
        DotSegments.resolve(&bytes, from: start)
    }
}
