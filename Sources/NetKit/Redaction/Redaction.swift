package import Foundation

/// What is not shown where a request or a response is written down.
///
/// The same rules hold wherever something is: commands for curl, logs, HAR files and recordings. An
/// endpoint has one (``Endpoint/redaction``), and a request may add to it (``Request/redaction``).
public struct Redaction: Hashable, Sendable {
    /// What stands where something was left out.
    package static let mark = "‹redacted›"

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
    /// `‹redacted›`, a number in JSON 0, a value in a query `redacted`. Paths are shown.
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
    package func adding(_ other: Redaction?) -> Redaction {
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
    /// - Returns: The value without what is hidden in it, or `‹redacted›`.
    package func shown(_ value: String, of name: HTTPHeaderName, in fields: HTTPHeaders) -> String {
        guard hidesSecrets else { return value }
        if fields.isSensitive(name) { return Self.mark }
        return Redactor(self).header(value, of: name)
    }

    /// A URL as it may be shown: without user and fragment.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The URL; `redacted` stands for values in its query that are hidden.
    package func shown(_ url: URL) -> String {
        guard hidesSecrets else { return url.absoluteString }
        let bytes = Array(url.absoluteString.utf8)
        let shown = RedactedURL.bytes(bytes[...], by: Redactor(self), keepingFragment: false)
        return String(decoding: shown, as: UTF8.self)
    }

    /// Whether the value of that name in a query or a form is hidden.
    func hides(queryName name: some Collection<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || Self.isSecretQueryName(name)
            || contains(name, in: queryNames) || contains(name, in: bodyFields)
    }

    /// Whether the value of a member, an element, a form's field or a part is hidden.
    func hides(bodyField name: some Collection<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || contains(name, in: bodyFields)
    }

    private func contains(_ name: some Collection<UInt8>, in names: Set<String>) -> Bool {
        !names.isEmpty && names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    // There is `postcode` and `keyword`; and in a body these mostly mean something else, a `code` that of an error.
    /// Names that say it in a query alone, and as a whole.
    private static func isSecretQueryName(_ name: some Collection<UInt8>) -> Bool {
        guard name.count < 5 else { return false }
        return ["code", "key", "sid", "sig"]
            .contains { secret in
                name.lazy.map { HTTPToken.folded($0) }.elementsEqual(secret.utf8)
            }
    }
}
