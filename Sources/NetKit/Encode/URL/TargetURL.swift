import Foundation

/// Joins base URL, path and query into the URL of a request.
///
/// - `base/api` with `x` or `/x`, and `base/api/` with either, is `base/api/x`.
/// - A path may have a query of its own; a fragment is left out.
/// - `//host` is a path, never another host; `https://…` is an address of its own. Any other scheme
///   is part of a path.
/// - Dot segments are resolved within the path and never lead above the base.
/// - Triplets that are there stay, all else that may not stand in a URL is encoded.
/// - The query is the base's own, then the endpoint's, the path's and the request's. Equal names add
///   up, except that the endpoint's give way to the path's and the request's.
struct TargetURL {
    /// The address.
    let url: URL
    let origin: Origin
    /// Whether it is on the base's own origin, so that the endpoint's credentials may go along.
    let isOnBaseOrigin: Bool
    /// Credentials that stood in an absolute path itself.
    let credentials: AuthToken?

    init(
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
                throw InvalidRequest(.invalidURL("an absolute path that is no URL"))
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
        // They may be secret, as the credentials are.
        if !isOnBaseOrigin { query.defaults = [] }
        query.append(after: baseQuery, path: pathQuery, to: &bytes)
        let joined = String(decoding: bytes, as: UTF8.self)
        guard let url = URL(string: joined, encodingInvalidCharacters: false) else {
            throw InvalidRequest(.invalidURL("what base URL and path make is no URL"))
        }
        self.url = url
    }
}

/// The path of a request as its author wrote it, taken apart at its first `#` and `?`.
struct WrittenPath {
    /// What stands in front of the query.
    let path: Substring
    /// The query, nil without one.
    let query: Substring?

    init(_ text: String) {
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            path = text[..<mark]
            query = text[bytes.index(after: mark)..<end]
        } else {
            path = text[..<end]
            query = nil
        }
    }

    /// Whether it is a whole http or https URL.
    var isAbsolute: Bool {
        guard let first = path.utf8.first, HTTPToken.folded(first) == UInt8(ascii: "h") else {
            return false
        }
        let start = path.utf8.lazy.map { HTTPToken.folded($0) }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// The URL that it is, with what may not stand in one encoded.
    var address: URL? {
        let bytes = path.utf8
        guard
            let host = bytes.firstIndex(of: UInt8(ascii: "/")).map({ bytes.index($0, offsetBy: 2) })
        else { return nil }
        let end = bytes[host...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        // Browsers end the host at a backslash and would go elsewhere than we do.
        guard !bytes[..<end].contains(UInt8(ascii: "\\")) else { return nil }
        // Foundation spells international names in ASCII; what else it encodes no host may have.
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

    /// Adds the path, encoded, to a base that has no slash at its end.
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
