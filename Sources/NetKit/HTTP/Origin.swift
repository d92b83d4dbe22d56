package import Foundation

/// Scheme, host and port: what credentials and connections belong to (RFC 6454, section 4).
///
/// The one check of where a request may go: a URL without an origin reaches no transport.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// The origin of a URL.
    ///
    /// Nil unless the URL is http or https, names a host without percent signs, which another reader could take
    /// for another host, and has either no port or one from 1 to 65535.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty,
            let authority = Authority(of: url), authority.isHostPlain,
            let port = authority.port(orDefault: scheme == "https" ? 443 : 80)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether requests stay on this machine (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3).
    package var isLoopback: Bool {
        if ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost") {
            return true
        }
        return host.hasPrefix("127.") && host.allSatisfy { "0123456789.".contains($0) }
    }

    package func hash(into hasher: inout Hasher) {
        // Host and port tell nearly all origins apart.
        hasher.combine(host)
        hasher.combine(port)
    }
}

/// Host and port as a URL spells them (RFC 3986, section 3.2).
///
/// Foundation decodes hosts, and leaves a port out that is too large for it, which would be the default port then.
private struct Authority {
    private let host: Substring.UTF8View
    /// The digits behind the colon; nil without a colon.
    private let digits: Substring.UTF8View?

    init?(of url: URL) {
        let text = url.absoluteString[...].utf8
        guard let start = text.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        var rest = text[start...].dropFirst(2)
            .prefix { byte in
                byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
            }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[at...].dropFirst() }
        // An IPv6 literal has colons of its own.
        let end = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
        let colon = rest[end...].firstIndex(of: UInt8(ascii: ":"))
        host = rest[..<(colon ?? rest.endIndex)]
        digits = colon.map { rest[$0...].dropFirst() }
    }

    /// Whether nobody can take the host for another one; in an IPv6 literal a percent sign marks a zone.
    var isHostPlain: Bool {
        host.first == UInt8(ascii: "[") || !host.contains(UInt8(ascii: "%"))
    }

    /// The port, the default one where there are no digits; nil for digits that make none.
    func port(orDefault standard: Int) -> Int? {
        guard let digits, !digits.isEmpty else { return standard }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(Substring(digits)), (1...65_535).contains(port)
        else { return nil }
        return port
    }
}

extension URL {
    /// The same URL with its scheme in lower case, as not every transport knows others.
    package var withLowercasedScheme: URL {
        let text = absoluteString
        guard let end = text.firstIndex(of: ":"),
            text[..<end].utf8.contains(where: { (0x41...0x5A).contains($0) })
        else { return self }
        let lowercased = text[..<end].lowercased() + text[end...]
        return URL(string: lowercased, encodingInvalidCharacters: false) ?? self
    }
}
