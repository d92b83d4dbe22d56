import Foundation

/// Joins base URL, path and query into the URL of a request.
///
/// - `base/api` with `x` or `/x`, and `base/api/` with either, is `base/api/x`.
/// - A path may have a query of its own; a fragment is left out.
/// - `//host` is a path, never another host; `https://…` is an address of its own.
/// - Dot segments are resolved within the path and never lead above the base.
/// - The query is the base's own, then the path's, then the request's.
struct TargetURL {
    /// The address.
    let url: URL
    /// Whether it is on the base's own origin, so that the endpoint's credentials may go along.
    let isOnBaseOrigin: Bool
    /// Credentials that stood in the address itself.
    let credentials: AuthToken?

    init(
        base: BaseURL,
        path: String,
        query: [(String, String)]
    ) throws(InvalidRequest) {
        var relative = Substring(path.utf8.prefix { $0 != UInt8(ascii: "#") })
        var base = base
        let baseOrigin = base.origin
        if Self.isAbsolute(relative) {
            guard let address = Self.address(relative) else {
                throw InvalidRequest(.invalidURL("an absolute path that is no URL"))
            }
            base = try BaseURL(address)
            relative = base.endsWithSlash ? "/" : ""
        }
        isOnBaseOrigin = base.origin == baseOrigin
        credentials = base.credentials

        var bytes = Array(base.root.utf8)
        bytes.reserveCapacity(bytes.count + base.path.utf8.count + path.utf8.count + 64)
        bytes += base.path.utf8
        Self.append(
            path: relative.prefix { $0 != "?" },
            endsWithSlash: base.endsWithSlash,
            to: &bytes
        )
        Self.append(
            query: query,
            behind: [base.query.map { $0[...] }, Self.query(of: relative)],
            to: &bytes
        )
        let text = String(decoding: bytes, as: UTF8.self)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw InvalidRequest(.invalidURL("what base URL and path make is no URL"))
        }
        self.url = url
    }

    private static func isAbsolute(_ path: Substring) -> Bool {
        guard let first = path.utf8.first, first | 0x20 == UInt8(ascii: "h") else { return false }
        let start = path.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    /// An absolute address as its author wrote it, with what may not stand in a URL encoded.
    private static func address(_ text: Substring) -> URL? {
        if let url = URL(string: String(text), encodingInvalidCharacters: false) { return url }
        var bytes: [UInt8] = []
        let authorityEnd = text.utf8.dropFirst(8).firstIndex { $0 == 0x2F || $0 == 0x3F }
        let split = authorityEnd ?? text.endIndex
        bytes += text[..<split].utf8
        let rest = text[split...]
        PercentEncoding.append(rest.prefix { $0 != "?" }, as: .path, to: &bytes)
        if let query = query(of: rest) {
            bytes.append(0x3F)
            PercentEncoding.append(query, as: .query, to: &bytes)
        }
        return URL(string: String(decoding: bytes, as: UTF8.self), encodingInvalidCharacters: false)
    }

    private static func pathPart(of path: Substring) -> Substring {
        Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") })
    }

    private static func query(of path: Substring) -> Substring? {
        path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[path.utf8.index(after: $0)...] }
    }

    private static func append(path: Substring, endsWithSlash: Bool, to bytes: inout [UInt8]) {
        let trimmed = path.utf8.first == 0x2F ? Substring(path.utf8.dropFirst()) : path
        guard !path.isEmpty else {
            if endsWithSlash { bytes.append(0x2F) }
            return
        }
        bytes.append(0x2F)
        let hasDots = trimmed.utf8.contains(0x2E)
        if hasDots {
            PercentEncoding.append(DotSegments.removed(from: trimmed), as: .path, to: &bytes)
        } else {
            PercentEncoding.append(trimmed, as: .path, to: &bytes)
        }
    }

    private static func append(
        query: [(String, String)],
        behind written: [Substring?],
        to bytes: inout [UInt8]
    ) {
        var separator = UInt8(ascii: "?")
        for part in written {
            guard let part, !part.isEmpty else { continue }
            bytes.append(separator)
            separator = UInt8(ascii: "&")
            PercentEncoding.append(part, as: .query, to: &bytes)
        }
        for (name, value) in query {
            bytes.append(separator)
            separator = UInt8(ascii: "&")
            PercentEncoding.append(name, as: .queryValue, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(value, as: .queryValue, to: &bytes)
        }
    }
}

/// Resolves `.` and `..` (RFC 3986, section 5.2.4), also where their dots are percent-encoded.
enum DotSegments {
    /// The path without them; what would lead above its start stays there.
    static func removed(from path: Substring) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased().replacing("%2e", with: ".") {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }
}
