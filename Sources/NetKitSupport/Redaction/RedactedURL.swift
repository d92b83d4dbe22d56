package import Foundation

/// A URL without user, password, fragment and query values.
package struct RedactedURL: CustomStringConvertible, Sendable {
    /// The URL without its possible secrets: `https://host/path?name&name`.
    package let description: String

    /// Removes all possible secrets from a URL.
    package init(_ url: URL) {
        self.init(target: url.absoluteString)
    }

    /// Removes all possible secrets from a URL or the target of a request.
    package init(target: String) {
        let parts = Parts(Array(target.utf8)[...])
        var shown = Self.front(parts.front, by: Redactor(.secrets))
        if let query = parts.query {
            let names = query.split(separator: UInt8(ascii: "&"))
                .map { $0.prefix { $0 != UInt8(ascii: "=") } }
            shown.append(UInt8(ascii: "?"))
            shown += names.joined(separator: [UInt8(ascii: "&")])
        }
        description = String(decoding: shown, as: UTF8.self)
    }

    /// Redacts a URL or a relative reference, and removes its user and password.
    ///
    /// - Parameters:
    ///   - bytes: The URL.
    ///   - redactor: The redactor, which also examines values with nested text.
    ///   - keepingFragment: Whether to keep the fragment, with redacted query-like values. Defaults to true.
    /// - Returns: The redacted URL, unchanged if it contains no secrets.
    static func bytes(
        _ bytes: ArraySlice<UInt8>,
        by redactor: Redactor,
        keepingFragment: Bool = true
    ) -> [UInt8] {
        redactor.effort.add(bytes.count)
        let parts = Parts(bytes)
        var shown = front(parts.front, by: redactor)
        if let query = parts.query {
            shown.append(UInt8(ascii: "?"))
            shown += RedactedForm.pairs(query, by: redactor)
        }
        if keepingFragment, let fragment = parts.fragment {
            shown.append(UInt8(ascii: "#"))
            // The fragment can be a route with a query.
            let route = Parts(fragment)
            if let query = route.query {
                shown += route.front + [UInt8(ascii: "?")]
                shown += RedactedForm.pairs(query, by: redactor)
            } else {
                shown += RedactedForm.pairs(fragment, by: redactor)
            }
        }
        return shown
    }

    /// Whether a text without blanks begins like a URL or an absolute path.
    static func isURL(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "/") { return true }
        guard let colon = schemeEnd(of: bytes) else { return false }
        return bytes[(colon + 1)...].starts(with: "//".utf8)
    }

    /// Returns the position of the colon after a scheme, or nil without one.
    private static func schemeEnd(of bytes: ArraySlice<UInt8>) -> Int? {
        let scheme = bytes.prefix { byte in
            WordTable.letter(byte) != nil || (0x30...0x39).contains(byte)
                || "+-.".utf8.contains(byte)
        }
        guard let first = scheme.first, WordTable.letter(first) != nil,
            scheme.endIndex < bytes.endIndex, bytes[scheme.endIndex] == UInt8(ascii: ":")
        else { return nil }
        return scheme.endIndex
    }
}

// MARK: - Before the query

extension RedactedURL {
    /// The text before the query, the query, and the fragment.
    private struct Parts {
        let front: ArraySlice<UInt8>
        let query: ArraySlice<UInt8>?
        let fragment: ArraySlice<UInt8>?

        init(_ bytes: ArraySlice<UInt8>) {
            let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
            let start = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
            front = bytes[..<start]
            query = start < end ? bytes[(start + 1)..<end] : nil
            fragment = end < bytes.endIndex ? bytes[(end + 1)...] : nil
        }
    }

    /// Returns scheme, host and path, without the user, and with path parameters redacted.
    private static func front(_ front: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8] {
        redactor.effort.add(front.count)
        let scheme = schemeEnd(of: front).map { front[...$0] } ?? front.prefix(0)
        var rest = front[scheme.endIndex...]
        let slashes = rest.prefix { isSlash($0) }
        rest = rest[slashes.endIndex...]
        if slashes.isEmpty, let at = userEnd(in: rest, behind: scheme) {
            return path(rest[(at + 1)...], by: redactor)
        }
        if !scheme.isEmpty || slashes.count > 1 {
            rest = withoutUser(rest, isHostExpected: !slashes.isEmpty)
        }
        return Array(scheme) + slashes + path(rest, by: redactor)
    }

    /// The position of the `@` in `user:password@host`, whose user looks like a scheme.
    ///
    /// Nil without one, and for schemes of URLs and of addresses, such as `mailto:me@host`.
    private static func userEnd(
        in rest: ArraySlice<UInt8>,
        behind scheme: ArraySlice<UInt8>
    ) -> Int? {
        let name = String(decoding: scheme.dropLast().map { HTTPToken.folded($0) }, as: UTF8.self)
        guard !scheme.isEmpty,
            !["http", "https", "ws", "wss", "ftp", "mailto", "sip", "sips", "xmpp", "acct", "urn"]
                .contains(name)
        else { return nil }
        return rest.prefix { !isSlash($0) }.lastIndex(of: UInt8(ascii: "@"))
    }

    /// Removes the user from a host and the text after it.
    ///
    /// A password can contain a slash.
    private static func withoutUser(
        _ rest: ArraySlice<UInt8>,
        isHostExpected: Bool
    ) -> ArraySlice<UInt8> {
        let authority = rest.prefix { !isSlash($0) }
        let colon = authority.firstIndex(of: UInt8(ascii: ":"))
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            return isHostExpected || colon.map { $0 < at } == true ? rest[(at + 1)...] : rest
        }
        guard let colon, isHostExpected, authority.first != UInt8(ascii: "["),
            !authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) }),
            let at = rest.lastIndex(of: UInt8(ascii: "@"))
        else { return rest }
        return rest[(at + 1)...]
    }

    /// Redacts `user:password@` in a path, and the values of secret `;name=value` parameters.
    private static func path(_ path: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8] {
        var edits = Edits(path)
        var start = path.startIndex
        while start < path.endIndex {
            let end = path[start...].firstIndex(where: isSlash) ?? path.endIndex
            segment(path[start..<end], &edits, by: redactor)
            start = end + 1
        }
        return edits.edited
    }

    private static func segment(
        _ segment: ArraySlice<UInt8>,
        _ edits: inout Edits,
        by redactor: Redactor
    ) {
        if let at = segment.lastIndex(of: UInt8(ascii: "@")),
            segment[..<at].contains(UInt8(ascii: ":"))
        {
            edits.replace(segment.startIndex..<at, with: RedactedForm.mark)
        }
        guard segment.contains(UInt8(ascii: "=")) else { return }
        for parameter in segment.split(separator: UInt8(ascii: ";")) {
            guard let sign = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if RedactedForm.hides(name: parameter[..<sign], by: redactor) {
                edits.replace(sign + 1..<parameter.endIndex, with: RedactedForm.mark)
            }
        }
    }

    /// Some clients treat both as a slash.
    private static func isSlash(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }
}
