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
    /// A user name and password in a URL, and its fragment, are left out as well. A hidden text is
    /// ``mark``, a number in JSON 0, a value in a query `redacted`. Paths are shown.
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
        return shownAddresses(in: value, of: name)
    }

    /// A URL as it may be shown: without user and fragment.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The URL; `redacted` stands for values in its query that are hidden.
    public func shown(_ url: URL) -> String {
        guard hidesSecrets else { return url.absoluteString }
        return RedactedAddress(url.absoluteString.utf8, by: self).withoutFragment
    }

    /// A field's value whose addresses are shown as they may be: those of `Link` stand in angle brackets, that of
    /// `Refresh` behind `url=`, others are the whole value.
    private func shownAddresses(in value: String, of name: HTTPHeaderName) -> String {
        switch name {
        case .location, .contentLocation, .referer:
            return RedactedAddress(value.utf8, by: self).withoutFragment
        case .link:
            let parts = value.utf8.split(
                separator: UInt8(ascii: "<"),
                omittingEmptySubsequences: false
            )
            let shown = parts.enumerated()
                .map { index, part -> [UInt8] in
                    let end = part.firstIndex(of: UInt8(ascii: ">")) ?? part.endIndex
                    guard index > 0 else { return Array(part) }
                    return RedactedAddress(part[..<end], by: self).shown + part[end...]
                }
            return String(
                decoding: Array(shown.joined(separator: [UInt8(ascii: "<")])),
                as: UTF8.self
            )
        default:
            let isAddress = value.hasPrefix("http://") || value.hasPrefix("https://")
            if isAddress { return RedactedAddress(value.utf8, by: self).withoutFragment }
            guard name == "Refresh", let start = value.range(of: "url=", options: .caseInsensitive)
            else { return value }
            let address = RedactedAddress(value[start.upperBound...].utf8, by: self)
            return value[..<start.upperBound] + address.withoutFragment
        }
    }

    /// Pairs of a form as they may be shown.
    func shown(pairs: some Sequence<UInt8>) -> [UInt8] {
        RedactedAddress.pairs(pairs, by: self)
    }

    /// Whether the value of that name in a query or a form is hidden.
    func hides(queryName name: String) -> Bool {
        guard hidesSecrets else { return false }
        let name = name.lowercased()
        return queryNames.contains(name) || bodyFields.contains(name)
            || Self.secretQueryNames.contains(name) || SecretNames.suggests(name)
    }

    /// Whether the value of a member, a form's field or a part is hidden.
    func hides(bodyField name: String) -> Bool {
        guard hidesSecrets else { return false }
        return bodyFields.contains(name.lowercased()) || SecretNames.suggests(name)
    }

    // There is `postcode` and `keyword`; and in a body these mostly mean something else, a `code` that of an error.
    /// Names that say it in a query alone, and as a whole.
    private static let secretQueryNames: Set<String> = ["code", "key", "sid", "sig"]
}
