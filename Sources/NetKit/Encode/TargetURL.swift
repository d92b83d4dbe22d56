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

/// The request's query, merged from the base URL, the endpoint, the path and the request.
package struct TargetQuery {
    /// The endpoint's parameters, omitted where the request uses the same name.
    var defaults: [(String, String)]
    /// The request's parameters.
    let params: [(String, String)]
    /// The request's query items, which follow all others.
    let items: [QueryItem]

    package init(
        defaults: [(String, String)] = [],
        params: [(String, String)] = [],
        items: [QueryItem] = []
    ) {
        (self.defaults, self.params, self.items) = (defaults, params, items)
    }

    /// Appends the merged query to a URL.
    ///
    /// - Parameters:
    ///   - base: The percent-encoded query of the base URL, if any.
    ///   - path: The query in the request's path, if any.
    ///   - bytes: The URL.
    func append(after base: String?, path: Substring?, to bytes: inout [UInt8]) {
        var query = Joined(bytes: bytes)
        // Release the array, so that appending doesn't copy it.
        bytes = []
        if let base { query.add(written: base[...]) }
        for (name, value) in remainingDefaults(beside: path) { query.add(name, value) }
        if let path { query.add(written: path) }
        for (name, value) in params { query.add(name, value) }
        for item in items {
            switch item.content {
            case .pair(let name, let value): query.add(name, value)
            case .flag(let name): query.add(name, nil)
            case .encoded(let text): query.add(written: text[...])
            }
        }
        bytes = query.bytes
    }

    private func remainingDefaults(beside path: Substring?) -> [(String, String)] {
        guard !defaults.isEmpty else { return [] }
        var names = Set(params.map(\.0))
        for item in items { names.insert(item.name) }
        for written in path?.split(separator: "&") ?? [] {
            names.insert(QueryItem.encoded(name: String(written), value: nil).name)
        }
        return defaults.filter { !names.contains($0.0) }
    }

    /// A query with `?` before the first item and `&` between items.
    private struct Joined {
        var bytes: [UInt8]
        private var separator = UInt8(ascii: "?")

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        private mutating func begin() {
            bytes.append(separator)
            separator = UInt8(ascii: "&")
        }

        /// Appends a query written by the user, unless it is empty.
        mutating func add(written text: Substring) {
            guard !text.isEmpty else { return }
            begin()
            PercentEncoding.append(text, as: .query, to: &bytes)
        }

        @inline(never)
        mutating func add(_ name: String, _ value: String?) {
            begin()
            PercentEncoding.append(name, as: .queryValue, to: &bytes)
            guard let value else { return }
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(value, as: .queryValue, to: &bytes)
        }
    }
}

/// A percent-encoder for bytes (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The component of a URL, which determines the bytes that aren't encoded.
    package enum Component {
        /// A query name or value, or a strict path segment: only unreserved bytes are kept, for servers of every kind.
        case queryValue
        /// A single path segment: slashes are encoded.
        case segment
        /// A path written by the user: slashes and percent-encoded triplets are kept.
        case path
        /// A query written by the user: percent-encoded triplets are kept.
        case query
        /// `application/x-www-form-urlencoded` (WHATWG URL standard): a space becomes a plus.
        case form
    }

    /// Appends a percent-encoded text to `bytes`.
    @inline(never)
    package static func append(
        _ text: some StringProtocol,
        as component: Component,
        to bytes: inout [UInt8]
    ) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { source in
            append(source, as: component, to: &bytes)
        }
        guard isDone == nil else { return }
        Array(text.utf8).withUnsafeBufferPointer { append($0, as: component, to: &bytes) }
    }

    private static func append(
        _ source: UnsafeBufferPointer<UInt8>,
        as component: Component,
        to bytes: inout [UInt8]
    ) {
        var plainStart = 0
        for (index, byte) in source.enumerated()
        where !stays(byte, at: index, of: source, component) {
            bytes.append(contentsOf: source[plainStart..<index])
            plainStart = index + 1
            if byte == 0x20, component == .form {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hex(byte >> 4))
                bytes.append(hex(byte & 15))
            }
        }
        bytes.append(contentsOf: source[plainStart...])
    }

    private static func stays(
        _ byte: UInt8,
        at index: Int,
        of source: UnsafeBufferPointer<UInt8>,
        _ component: Component
    ) -> Bool {
        guard byte == UInt8(ascii: "%") else { return isAllowed(byte, in: component) }
        return (component == .path || component == .query) && index + 2 < source.count
            && isHex(source[index + 1]) && isHex(source[index + 2])
    }

    private static func isAllowed(_ byte: UInt8, in component: Component) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "~"): component != .form
        case UInt8(ascii: "*"): component != .queryValue
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"):
            component == .segment || component == .path || component == .query
        case UInt8(ascii: "/"): component == .path || component == .query
        case UInt8(ascii: "?"): component == .query
        default: false
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func hex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x37 + nibble
    }
}
