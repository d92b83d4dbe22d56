package import Foundation

/// A set of rules for redacting requests and responses.
///
/// The rules apply in curl commands, transcripts, logged bodies, HAR files and recordings. Errors and one-line
/// descriptions always use ``secrets``, and show no query values. An endpoint has a redaction
/// (``Endpoint/redaction``), and a request can add to it (``Request/redaction``).
public struct Redaction: Hashable, Sendable {
    /// The placeholder for redacted text.
    package static let mark = "‹redacted›"

    /// Whether anything is redacted.
    let hidesSecrets: Bool
    /// Additional header fields to redact, besides those that are secret by name or mark.
    let headers: Set<HTTPHeaderName>
    private let queryNames: Set<String>
    private let bodyFields: Set<String>

    /// A redaction that shows everything, even secrets.
    ///
    /// If an endpoint uses it, the redactions of requests have no effect.
    public static var none: Redaction {
        Redaction(hidesSecrets: false, headers: [], queryNames: [], bodyFields: [])
    }

    /// A redaction of credentials, and of values whose names suggest a secret.
    ///
    /// It redacts `Authorization`, `Cookie`, `Set-Cookie` and `Proxy-Authorization`, and fields that are marked
    /// sensitive. It also redacts every value whose name suggests a secret, such as a token, an API key, a password, a
    /// PIN or a session. This applies to header fields, query and form values, JSON members, XML and multipart parts.
    /// In queries and forms, the exact names `code`, `key`, `sid` and `sig` also count.
    ///
    /// The user name and password in a URL are removed, and so is its fragment. The placeholder is `‹redacted›` for
    /// text and 0 for a number in JSON. In URLs and forms, it is `redacted`. Amounts such as `max_tokens` are kept.
    /// Paths are kept, except for `user:password@` and secret `;name=value` parameters.
    public static var secrets: Redaction {
        Redaction(hidesSecrets: true, headers: [], queryNames: [], bodyFields: [])
    }

    /// Creates a redaction that adds names to those of ``secrets``.
    ///
    /// - Parameters:
    ///   - headers: The header fields to redact. They count as sensitive, so they aren't sent to another origin.
    ///   - queryNames: The names of query and form values to redact, in any case. Defaults to none.
    ///   - bodyFields: The names of JSON members, XML elements, form fields, parts and query values to redact, in any
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

    /// Returns the union of two redactions.
    ///
    /// ``none`` stays ``none``.
    ///
    /// - Parameter other: The redaction to add, or nil for no addition.
    /// - Returns: The combined redaction.
    package func adding(_ other: Redaction?) -> Redaction {
        guard hidesSecrets, let other, other.hidesSecrets else { return self }
        return Redaction(
            hidesSecrets: true,
            headers: headers.union(other.headers),
            queryNames: queryNames.union(other.queryNames),
            bodyFields: bodyFields.union(other.bodyFields)
        )
    }

    /// Redacts the value of a header field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name.
    ///   - fields: The collection that contains the field, with its sensitive marks.
    /// - Returns: The redacted value, or `‹redacted›`.
    package func shown(_ value: String, of name: HTTPHeaderName, in fields: HTTPHeaders) -> String {
        guard hidesSecrets else { return value }
        if fields.isSensitive(name) { return Self.mark }
        return Redactor(self).header(value, of: name)
    }

    /// Redacts a URL, and removes its user and fragment.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The URL, with `redacted` in place of secret query values.
    package func shown(_ url: URL) -> String {
        guard hidesSecrets else { return url.absoluteString }
        let bytes = Array(url.absoluteString.utf8)
        let shown = RedactedURL.bytes(bytes[...], by: Redactor(self), keepingFragment: false)
        return String(decoding: shown, as: UTF8.self)
    }

    /// Whether to redact the value of this name in a query or a form.
    func hides(queryName name: some Collection<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || Self.isSecretQueryName(name)
            || contains(name, in: queryNames) || contains(name, in: bodyFields)
    }

    /// Whether to redact the value of this JSON member, element, form field or part.
    func hides(bodyField name: some Collection<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || contains(name, in: bodyFields)
    }

    private func contains(_ name: some Collection<UInt8>, in names: Set<String>) -> Bool {
        !names.isEmpty && names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    // Only whole names, because of `postcode` and `keyword`. Only in a query, because a `code` in a body is usually an
    // error code.
    /// Whether a name is secret only in a query.
    private static func isSecretQueryName(_ name: some Collection<UInt8>) -> Bool {
        guard name.count < 5 else { return false }
        return ["code", "key", "sid", "sig"]
            .contains { secret in
                name.lazy.map { HTTPToken.folded($0) }.elementsEqual(secret.utf8)
            }
    }
}
