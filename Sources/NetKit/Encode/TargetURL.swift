package import Foundation
package import NetKitSupport

/// The URL of a request, joined from the base URL, the path and the query.
///
/// - `base/api` and `base/api/` with `x` or `/x` all become `base/api/x`.
/// - A path can contain a query. Only an absolute URL has a fragment, which isn't sent; otherwise `#` is encoded.
/// - `//host` is a path, never another host. `https://…` is an absolute URL, and any other scheme is part of a path.
/// - Dot segments are resolved within the path and never lead above the base URL.
/// - Percent-encoded triplets are kept, and other invalid characters are encoded.
/// - The query consists of the base URL's, the endpoint's, the path's and the request's parameters. Equal names are
///   repeated, except that the path's and the request's parameters override the endpoint's. An absolute URL replaces
///   the base URL with its query.
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
