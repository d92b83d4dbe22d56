public import Foundation
import NetKit
import NetKitSupport

/// A cookie in a ``CookieJar`` (RFC 6265bis, section 5.7).
///
/// Its descriptions and its mirror omit the value.
public struct Cookie: Sendable, Hashable {
    /// The rule for requests that another site causes.
    ///
    /// Only browsers need it. A jar stores it but sends the cookie in any case.
    public enum SameSite: String, Sendable {
        /// The cookie isn't sent with requests from other sites.
        case strict = "Strict"
        /// From other sites, the cookie is sent only with requests that open a page.
        case lax = "Lax"
        /// The cookie is sent with every request.
        case none = "None"

        /// Creates the value of an attribute in any case, or nil for an unknown one.
        init?(attribute: String) {
            self.init(rawValue: attribute.lowercased().capitalized)
        }
    }

    /// The name, which is never empty.
    public let name: String
    /// The value, including any quotes around it.
    public let value: String
    /// The host or its parent domain, in lowercase and without a leading dot.
    public let domain: String
    /// Whether the cookie applies only to ``domain`` itself and not to its subdomains.
    public let isHostOnly: Bool
    /// The path that the cookie applies to, including everything below it.
    public let path: String
    /// The expiration date, or nil for a session cookie.
    ///
    /// It is at most 400 days after the cookie was received.
    public let expires: Date?
    /// Whether the cookie is sent only over https and to loopback hosts.
    public let isSecure: Bool
    /// Whether scripts on a page must not access the cookie.
    public let isHTTPOnly: Bool
    /// The value of `SameSite`, or nil if it is missing or unknown.
    public let sameSite: SameSite?

    /// Parses a `Set-Cookie` field (RFC 6265bis, sections 5.6 and 5.7).
    ///
    /// Returns nil for a field that is ignored:
    ///
    /// - One for another domain, or for a public suffix such as `co.uk`.
    /// - A secure cookie over plain http, or `SameSite=None` without `Secure`.
    /// - A prefix such as `__Host-` whose conditions the attributes don't meet.
    /// - A control character, or more than 4096 bytes of name and value.
    /// - A cookie without a name, which RFC 6265bis keeps for the sake of web pages.
    ///
    /// A field that deletes a cookie becomes an expired cookie. An attribute whose value is longer than 1024 bytes is
    /// ignored.
    ///
    /// - Parameters:
    ///   - field: The value of one field.
    ///   - url: The URL of the request.
    ///   - date: The arrival of the response. Defaults to now.
    public init?(setCookie field: String, from url: URL, at date: Date = Date()) {
        guard let url = CookieURL(url) else { return nil }
        self.init(field, from: url, at: date)
    }

    init?(_ text: String, from url: CookieURL, at date: Date) {
        guard let field = SetCookieField(text), let scope = Self.scope(of: field, from: url),
            !field.isSecure || url.isSecure
        else { return nil }
        self.init(
            name: field.name,
            value: field.value,
            domain: scope.domain,
            isHostOnly: scope.isHostOnly,
            path: field.path ?? url.defaultPath,
            expires: Self.expiry(of: field, at: date),
            isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly,
            sameSite: field.sameSite.flatMap { SameSite(attribute: $0) }
        )
        guard keepsPromises(namingPath: field.namesPath) else { return nil }
    }

    init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool,
        path: String,
        expires: Date?,
        isSecure: Bool,
        isHTTPOnly: Bool,
        sameSite: SameSite?
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }
}

extension Cookie: Concealed {
    /// A description with the name, the domain, and the path, but without the value.
    package var shown: String { "Cookie(\(name) for \(domain)\(path))" }
}

// MARK: - The rules of section 5.7

extension Cookie {
    /// The maximum lifetime of a cookie in seconds (RFC 6265bis, section 5.5).
    static let maximumAge = 400.0 * 86_400

    /// Returns the cookie's domain and whether it is host-only.
    ///
    /// Returns nil if the host must not set it.
    private static func scope(
        of field: SetCookieField,
        from url: CookieURL
    ) -> (domain: String, isHostOnly: Bool)? {
        let domain = field.domain
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if domain.isEmpty { return (url.host, true) }
        if PublicSuffixes.contains(domain) { return domain == url.host ? (domain, true) : nil }
        return CookieMatch.domain(domain, has: url.host) ? (domain, false) : nil
    }

    /// Returns the expiration date.
    ///
    /// `Max-Age` takes precedence over `Expires`.
    private static func expiry(of field: SetCookieField, at date: Date) -> Date? {
        let latest = date.addingTimeInterval(maximumAge)
        guard let age = field.maximumAge else { return field.expires.map { min($0, latest) } }
        return age > 0 ? min(date.addingTimeInterval(age), latest) : .distantPast
    }

    /// Returns whether the attributes meet the conditions of the name's prefix and of `SameSite`.
    ///
    /// See RFC 6265bis, sections 4.1.3 and 5.7.
    ///
    /// - Parameter namingPath: Whether the field had a `Path` attribute.
    /// - Returns: Whether to keep the cookie.
    func keepsPromises(namingPath: Bool) -> Bool {
        if sameSite == Cookie.SameSite.none, !isSecure { return false }
        let isBound = Self.begins(name, with: "__host-")
        guard isBound || Self.begins(name, with: "__secure-") else { return true }
        guard isSecure else { return false }
        return !isBound || isHostOnly && namingPath && path == "/"
    }

    /// Returns whether a text begins with a lowercase prefix, ignoring case.
    ///
    /// It compares bytes, so a combining mark after the prefix doesn't matter.
    private static func begins(_ text: String, with prefix: String) -> Bool {
        text.utf8.prefix(prefix.utf8.count).lazy.map { HTTPToken.folded($0) }
            .elementsEqual(prefix.utf8)
    }

    /// Returns whether the cookie has expired at a date.
    func hasExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Returns whether the cookie is sent with a request (RFC 6265bis, section 5.8.3).
    func isSent(to url: CookieURL) -> Bool {
        guard !isSecure || url.isSecure, CookieMatch.path(path, has: url.path) else { return false }
        return isHostOnly ? domain == url.host : CookieMatch.domain(domain, has: url.host)
    }

    /// The cookie in the form of a `Cookie` field.
    var pair: String { "\(name)=\(value)" }
}

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
        // In one step: a response may have thousands of fields, each to be compared with long paths.
        guard request.beginsWithBytes(of: path) else { return false }
        let (path, request) = (path.utf8, request.utf8)
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
