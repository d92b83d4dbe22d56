package import Foundation

/// A scheme, host and port, the scope of credentials and connections (RFC 6454, section 4).
///
/// This is the only check of a request's destination: a URL without an origin reaches no transport.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// Creates the origin of a URL.
    ///
    /// Nil unless the scheme is http or https, the host is present and has no percent signs, and the port, if any, is 1
    /// to 65535. A percent sign is refused because another parser could read a different host. So is a zone of an IPv6
    /// address that isn't ASCII.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty,
            let authority = Authority(of: url), authority.isHostPlain, !Self.hasForeignZone(host),
            let port = authority.port(orDefault: scheme == "https" ? 443 : 80)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Returns the host and port that a `Host` field names in place of these, in lowercase.
    ///
    /// Nil if they are the same.
    package func override(by field: String) -> String? {
        let standard = scheme == "https" ? ":443" : ":80"
        var named = field.lowercased()
        if named.hasSuffix(standard) { named.removeLast(standard.count) }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let own = ":\(port)" == standard ? name : "\(name):\(port)"
        return named.hasSameBytes(as: own) ? nil : named
    }

    /// Returns the reason why a URL has no origin, or nil if it has one.
    package static func problem(of url: URL) -> String? {
        guard Origin(url) == nil else { return nil }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return problem(ofScheme: url.scheme)
        }
        guard let host = url.host, !host.isEmpty, let authority = Authority(of: url) else {
            return "it has no host"
        }
        if hasForeignZone(host) { return "the zone of the IPv6 address isn't ASCII" }
        return authority.isHostPlain
            ? "the port must be from 1 to 65535" : "the host has a percent sign"
    }

    /// Whether a decoded host is an IPv6 address with a zone that isn't ASCII.
    private static func hasForeignZone(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: ":")) && !host.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Returns the reason why a URL with this scheme, which isn't http or https, has no origin.
    package static func problem(ofScheme scheme: String?) -> String {
        scheme.map { "the scheme is \($0); write https or http" }
            ?? "it has no scheme: begin it with https://"
    }

    /// Whether the host is this machine (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3).
    package var isLoopback: Bool {
        if ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost") {
            return true
        }
        return host.hasPrefix("127.") && host.allSatisfy { "0123456789.".contains($0) }
    }
}

/// The host and port as spelled in a URL or a `Host` field (RFC 3986, section 3.2).
///
/// Foundation decodes hosts, and drops a port that is out of range, which would then mean the default port.
package struct Authority {
    package let host: Substring.UTF8View
    /// The digits after the colon, or nil without a colon.
    private let digits: Substring.UTF8View?

    init?(of url: URL) {
        let text = url.absoluteString[...].utf8
        guard let start = text.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        var rest = text[start...].dropFirst(2)
            .prefix { byte in
                byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
            }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[at...].dropFirst() }
        self.init(rest)
    }

    /// The range of the authority of a URL, with its user; nil for a URL without one.
    package static func range(in url: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let slash = url.firstIndex(of: UInt8(ascii: "/")),
            url[slash...].starts(with: "//".utf8)
        else { return nil }
        let end = url[(slash + 2)...].firstIndex { "/?#".utf8.contains($0) }
        return slash + 2..<(end ?? url.count)
    }

    /// Returns an encoded host in lowercase, but for the zone of an IPv6 address, which names an interface.
    package static func folded(_ host: [UInt8]) -> [UInt8] {
        let zone = host.firstIndex(of: UInt8(ascii: "%")) ?? host.endIndex
        return host[..<zone].map { HTTPToken.folded($0) } + host[zone...]
    }

    /// Splits a host and a port.
    package init(_ text: Substring.UTF8View) {
        // Skip the colons of an IPv6 literal.
        let end = text.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
        let colon = text[end...].firstIndex(of: UInt8(ascii: ":"))
        host = text[..<(colon ?? text.endIndex)]
        digits = colon.map { text[$0...].dropFirst() }
    }

    /// Whether the host is unambiguous.
    ///
    /// In an IPv6 literal, a percent sign marks a zone.
    var isHostPlain: Bool {
        host.first == UInt8(ascii: "[") || !host.contains(UInt8(ascii: "%"))
    }

    /// Returns the port, or the default if there are no digits.
    ///
    /// Nil for an invalid port.
    func port(orDefault standard: Int) -> Int? {
        guard let digits, !digits.isEmpty else { return standard }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(Substring(digits)), (1...65_535).contains(port)
        else { return nil }
        return port
    }
}

extension URL {
    /// The URL with its scheme in lowercase, because some transports require it.
    package var withLowercasedScheme: URL {
        guard let scheme, scheme.utf8.contains(where: { (0x41...0x5A).contains($0) })
        else { return self }
        let lowercased = scheme.lowercased() + absoluteString.dropFirst(scheme.count)
        return URL(string: lowercased, encodingInvalidCharacters: false) ?? self
    }
}
