public import Foundation

/// What is not shown where a request or a response is written down.
///
/// The same rules hold wherever something is: commands for curl, logs, HAR files and recordings. An
/// endpoint has one (``Endpoint/redaction``), and a request may add to it (``Request/redaction``).
public struct Redaction: Hashable, Sendable {
    /// What stands where something was left out.
    public static let mark = "‹redacted›"

    /// Whether anything is hidden.
    let hidesSecrets: Bool
    /// Fields whose values are hidden, besides those that are, sound or are marked secret.
    let headers: Set<HTTPHeaderName>
    private let queryNames: Set<String>
    private let bodyFields: Set<String>

    /// Shows everything, secrets too, whatever a request says.
    public static var none: Redaction {
        Redaction(hidesSecrets: false, headers: [], queryNames: [], bodyFields: [])
    }

    /// Hides `Authorization`, `Cookie`, `Set-Cookie` and `Proxy-Authorization`, fields that are
    /// marked sensitive, and whatever has a name that speaks of a token, an API key, a secret, password,
    /// session or signature: header fields, values of a query or form, members of JSON, and parts of
    /// multipart bodies.
    ///
    /// A user name and password in a URL, and its fragment, are left out as well.
    public static var secrets: Redaction {
        Redaction(hidesSecrets: true, headers: [], queryNames: [], bodyFields: [])
    }

    /// Hides these, and what ``secrets`` hides.
    ///
    /// - Parameters:
    ///   - headers: Fields whose values are hidden.
    ///   - queryNames: Names in a query whose values are hidden, in any case.
    ///   - bodyFields: Names of JSON members, form fields and parts whose values are hidden, in any
    ///     case. Defaults to none.
    public init(
        headers: Set<HTTPHeaderName>,
        queryNames: Set<String> = [],
        bodyFields: Set<String> = []
    ) {
        self.init(
            hidesSecrets: true,
            headers: headers,
            queryNames: queryNames,
            bodyFields: bodyFields
        )
    }

    private init(
        hidesSecrets: Bool,
        headers: Set<HTTPHeaderName>,
        queryNames: Set<String>,
        bodyFields: Set<String>
    ) {
        self.hidesSecrets = hidesSecrets
        self.headers = headers
        self.queryNames = Set(queryNames.map { $0.lowercased() })
        self.bodyFields = Set(bodyFields.map { $0.lowercased() })
    }

    /// Hides what `other` hides as well, unless this one shows everything.
    ///
    /// - Parameter other: What else to hide; nil for nothing.
    /// - Returns: Both in one.
    public func adding(_ other: Redaction?) -> Redaction {
        guard hidesSecrets, let other, other.hidesSecrets else { return self }
        return Redaction(
            hidesSecrets: true,
            headers: headers.union(other.headers),
            queryNames: queryNames.union(other.queryNames),
            bodyFields: bodyFields.union(other.bodyFields)
        )
    }

    /// The value of a header field as it may be shown.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name.
    ///   - fields: The fields that it is one of, with their marks.
    /// - Returns: The value, or ``mark``.
    public func shown(_ value: String, of name: HTTPHeaderName, in fields: HTTPHeaders) -> String {
        guard hidesSecrets else { return value }
        let isSecret = fields.isSensitive(name) || name.soundsSecret || headers.contains(name)
        if isSecret { return Self.mark }
        guard name == .location || name == .contentLocation || name == .referer else {
            return value
        }
        return shown(address: value)
    }

    /// A URL as it may be shown.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The URL; `redacted` stands for values in its query that are hidden.
    public func shown(_ url: URL) -> String { shown(address: url.absoluteString) }

    private func shown(address whole: String) -> String {
        guard hidesSecrets else { return whole }
        let text = whole.prefix { $0 != "#" }
        let address = Self.withoutUser(text.prefix { $0 != "?" })
        guard let mark = text.firstIndex(of: "?") else { return address }
        return "\(address)?\(shown(pairs: text[text.index(after: mark)...]))"
    }

    /// Pairs of a query or a form as they may be shown.
    func shown(pairs: Substring) -> String {
        pairs.split(separator: "&", omittingEmptySubsequences: false)
            .map { part in
                let name = part.prefix { $0 != "=" }
                return isSecret(queryName: name) ? "\(name)=\(Self.encodedMark)" : String(part)
            }
            .joined(separator: "&")
    }

    /// Whether the value of a member, a form's field or a part is hidden.
    func hides(bodyField name: String) -> Bool {
        guard hidesSecrets else { return false }
        let name = name.lowercased()
        return bodyFields.contains(name) || Self.secretFields.contains(name)
            || SecretNames.suggests(name)
    }

    private static let encodedMark = "redacted"

    private static func withoutUser(_ address: Substring) -> String {
        let scheme = address.prefix { $0 != "/" }
        let rest = address.dropFirst(scheme.count)
        guard rest.hasPrefix("//") else { return String(address) }
        let authority = rest.dropFirst(2).prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(address) }
        return "\(scheme)//\(rest[rest.index(after: at)...])"
    }

    private func isSecret(queryName: Substring) -> Bool {
        let plain = String(queryName.map { $0 == "+" ? " " : $0 })
        let name = (plain.removingPercentEncoding ?? plain).lowercased()
        return queryNames.contains(name) || bodyFields.contains(name)
            || Self.secretNames.contains(name) || SecretNames.suggests(name)
    }

    /// Names that say nothing inside longer ones: there is `postcode`, `keyword` and `author`.
    private static let secretNames: Set<String> = secretFields.union(["code", "key", "sid", "sig"])

    /// Those of them that mean a secret in a body too, where a `code` is mostly that of an error.
    private static let secretFields: Set<String> = ["auth", "otp", "pass", "pin", "pwd"]
}
