public import Foundation

/// A cookie as a ``CookieJar`` keeps it (RFC 6265bis, section 5.7).
///
/// Its descriptions and its mirror leave the value out.
public struct Cookie: Sendable, Hashable {
    /// Whether the cookie goes along with requests that another site causes.
    ///
    /// Browsers need it; a jar keeps it, and sends the cookie all the same.
    public enum SameSite: String, Sendable {
        /// Not with requests from other sites.
        case strict = "Strict"
        /// With requests from other sites that open a page.
        case lax = "Lax"
        /// With every request.
        case none = "None"
    }

    /// The name; empty for a field without an equals sign.
    public let name: String
    /// The value, with the quotes that the server put around it.
    public let value: String
    /// The host, or the domain above it, in lower case and without a dot in front.
    public let domain: String
    /// Whether hosts below ``domain`` don't get the cookie.
    public let isHostOnly: Bool
    /// The path at and below which the cookie is sent.
    public let path: String
    /// When the cookie expires, at most 400 days after it was received; nil for a session cookie.
    public let expires: Date?
    /// Whether the cookie goes over https alone, and to this machine.
    public let isSecure: Bool
    /// Whether scripts on a page must not see the cookie.
    public let isHTTPOnly: Bool
    /// The value of `SameSite`; nil without one that is known.
    public let sameSite: SameSite?

    /// Reads a `Set-Cookie` field by the rules of RFC 6265bis, sections 5.6 and 5.7.
    ///
    /// Nil for a field that they ignore: for another domain or a public suffix such as `co.uk`, secure over plain http,
    /// with a prefix such as `__Host-` that the attributes don't keep, `SameSite=None` without `Secure`, a control
    /// character, or more than 4096 bytes of name and value. A field that deletes a cookie gives one that has expired.
    ///
    /// - Parameters:
    ///   - field: The value of one field.
    ///   - url: The URL of the request.
    ///   - date: When the response arrived. Defaults to now.
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
            sameSite: field.sameSite
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
    /// The name, the domain and the path, without the value.
    public var description: String { "Cookie(\(name) for \(domain)\(path))" }
}

// MARK: - The rules of section 5.7

extension Cookie {
    /// The longest time that a cookie is kept (RFC 6265bis, section 5.5).
    static let maximumAge = 400.0 * 86_400

    /// The domain of a cookie, and whether it is that of the host alone; nil for a domain that the host must not name.
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

    /// When a cookie expires; `Max-Age` comes before `Expires`.
    private static func expiry(of field: SetCookieField, at date: Date) -> Date? {
        let latest = date.addingTimeInterval(maximumAge)
        guard let age = field.maximumAge else { return field.expires.map { min($0, latest) } }
        return age > 0 ? min(date.addingTimeInterval(age), latest) : .distantPast
    }

    /// Whether the attributes are those that the name or `SameSite` promise (RFC 6265bis, sections 4.1.3 and 5.7).
    ///
    /// - Parameter namingPath: Whether the field had an attribute `Path`.
    /// - Returns: Whether to keep the cookie.
    func keepsPromises(namingPath: Bool) -> Bool {
        if sameSite == Cookie.SameSite.none, !isSecure { return false }
        let isBound = Self.begins(name, with: "__host-")
        guard isBound || Self.begins(name, with: "__secure-") else { return true }
        guard isSecure else { return false }
        return !isBound || isHostOnly && namingPath && path == "/"
    }

    /// Whether a text begins with a prefix in lower case, in any case; what follows it makes no difference.
    private static func begins(_ text: String, with prefix: String) -> Bool {
        text.utf8.prefix(prefix.utf8.count).lazy.map { HTTPToken.folded($0) }
            .elementsEqual(prefix.utf8)
    }

    /// Whether the cookie has expired at a moment.
    func hasExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Whether the cookie goes along with a request (RFC 6265bis, section 5.8.3).
    func isSent(to url: CookieURL) -> Bool {
        guard !isSecure || url.isSecure, CookieMatch.path(path, has: url.path) else { return false }
        return isHostOnly ? domain == url.host : CookieMatch.domain(domain, has: url.host)
    }

    /// The cookie as it stands in a `Cookie` field.
    var pair: String { "\(name)=\(value)" }
}
