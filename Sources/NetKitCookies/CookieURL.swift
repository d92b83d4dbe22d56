import Foundation
import NetKit

/// The parts of a request's URL that matter to cookies.
struct CookieURL: Equatable, Sendable {
    /// The host in lowercase and ASCII form.
    ///
    /// An IPv6 literal has no brackets.
    let host: String
    /// The path as sent in the request line.
    let path: String
    /// Whether the connection is protected: https or loopback.
    let isSecure: Bool

    /// Extracts the parts of a URL, or returns nil if it can't be requested.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        self.init(url, origin)
    }

    /// Extracts the parts of a URL with a known origin.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - origin: Its origin, which determines whether the connection is protected.
    ///   - authority: The host and port that the server sees in their place, in lowercase. Defaults to nil.
    init?(_ url: URL, _ origin: Origin, authority: String? = nil) {
        let name = authority.map { String(Substring(Authority($0[...].utf8).host)) } ?? origin.host
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        host = isBracketed ? String(name.dropFirst().dropLast()) : name
        guard Self.isHost(host) else { return nil }
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = origin.scheme == "https" || origin.isLoopback
    }

    /// Returns whether a text has only characters that a URL's host can have.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x41...0x5A: false
                case 0x21...0x7E: !"/?#@[\\]".utf8.contains(byte)
                default: false
                }
            }
    }

    /// The default path of a cookie (RFC 6265bis, section 5.1.4): up to the last slash.
    var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"),
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }
}

/// The bytewise comparison of cookies' domains and paths with a request's.
enum CookieMatch {
    /// Returns whether a host is a domain or its subdomain (RFC 6265bis, section 5.1.3).
    static func domain(_ domain: String, has host: String) -> Bool {
        let (host, domain) = (host.utf8, domain.utf8)
        guard host.count > domain.count else { return host.elementsEqual(domain) }
        guard !domain.isEmpty, host.reversed().starts(with: domain.reversed()) else { return false }
        return host.dropLast(domain.count).last == UInt8(ascii: ".") && !isAddress(host)
    }

    /// Returns whether a request's path matches a cookie's path (RFC 6265bis, section 5.1.4).
    static func path(_ path: String, has request: String) -> Bool {
        let (path, request) = (path.utf8, request.utf8)
        guard request.starts(with: path) else { return false }
        let next = request.dropFirst(path.count).first
        return next == nil || next == UInt8(ascii: "/") || path.last == UInt8(ascii: "/")
    }

    /// Returns whether a host is an IP address.
    ///
    /// It has a colon or ends in a number.
    static func isAddress(_ host: String.UTF8View) -> Bool {
        guard !host.contains(UInt8(ascii: ":")) else { return true }
        let label = host.split(separator: UInt8(ascii: ".")).last
        return label?.allSatisfy { (0x30...0x39).contains($0) } == true
    }
}
