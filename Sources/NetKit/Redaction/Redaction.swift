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
    private(set) var hidesSecrets = true
    /// Additional header fields to redact, besides those that aren't harmless.
    package private(set) var headers: Set<HTTPHeaderName>
    private var shownHeaders: Set<HTTPHeaderName>
    private var queryNames: Set<String>
    private var bodyFields: Set<String>
    /// Whether JSON, forms and multipart bodies are shown field by field.
    private var showsFields: Bool
    /// The media types of other bodies to show, as `type/subtype` in lowercase.
    private var wholeBodies: Set<String>

    /// A redaction that shows everything, even secrets.
    ///
    /// If an endpoint uses it, the redactions of requests have no effect.
    public static var none: Redaction {
        var none = Redaction()
        none.hidesSecrets = false
        return none
    }

    /// A redaction of everything that can hold a secret.
    ///
    /// A body is shown as its media type and length. The values of header fields are redacted, except those of common
    /// fields that are harmless, such as `Content-Type` and `ETag`. Of a query, it redacts every value whose name
    /// suggests a secret, such as a token, an API key, a password, a PIN or a session, and values named `code`, `key`,
    /// `sid`, `sig`, `ticket` or `hash`.
    ///
    /// The user name and password in a URL are removed, and so is its fragment. The placeholder is `‹redacted›` for
    /// text and `redacted` in URLs. Paths are kept, except for `user:password@` and secret `;name=value` parameters.
    public static var secrets: Redaction { Redaction() }

    /// Creates a redaction that adds names to those of ``secrets``, or shows more.
    ///
    /// With `showsFields`, values whose name suggests a secret are redacted in JSON, forms and multipart bodies. The
    /// placeholder for a number in JSON is 0, and amounts such as `max_tokens` are kept. A body that can't be parsed is
    /// shown as its type and length.
    ///
    /// - Parameters:
    ///   - headers: The header fields to redact. They count as sensitive, so they aren't sent to another origin.
    ///     Defaults to none.
    ///   - queryNames: The names of query and form values to redact, in any case. Defaults to none.
    ///   - bodyFields: The names of JSON members, form fields, parts and query values to redact, in any case. Defaults
    ///     to none.
    ///   - shownHeaders: Header fields to show although they aren't known to be harmless. It doesn't apply to fields
    ///     marked sensitive, `Authorization` and cookies. Defaults to none.
    ///   - showsFields: Whether to show JSON, forms and multipart bodies field by field. Defaults to false, except in
    ///     logs at level trace and recordings.
    ///   - wholeBodies: The media types of other bodies, which are shown whole and with any secrets that they contain.
    ///     `*/*` stands for all types, and a body without a type is `application/octet-stream`. Defaults to none.
    public init(
        headers: Set<HTTPHeaderName> = [],
        queryNames: Set<String> = [],
        bodyFields: Set<String> = [],
        shownHeaders: Set<HTTPHeaderName> = [],
        showsFields: Bool = false,
        wholeBodies: Set<MimeType> = []
    ) {
        self.headers = headers
        self.shownHeaders = shownHeaders
        self.queryNames = Set(queryNames.map { $0.lowercased() })
        self.bodyFields = Set(bodyFields.map { $0.lowercased() })
        self.showsFields = showsFields
        self.wholeBodies = Set(wholeBodies.map { "\($0.type)/\($0.subtype)" })
    }

    /// Returns the union of two redactions.
    ///
    /// ``none`` stays ``none``.
    ///
    /// - Parameter other: The redaction to add, or nil for no addition.
    /// - Returns: The combined redaction.
    package func adding(_ other: Redaction?) -> Redaction {
        guard hidesSecrets, let other, other.hidesSecrets else { return self }
        var sum = self
        sum.headers.formUnion(other.headers)
        sum.shownHeaders.formUnion(other.shownHeaders)
        sum.queryNames.formUnion(other.queryNames)
        sum.bodyFields.formUnion(other.bodyFields)
        sum.showsFields = showsFields || other.showsFields
        sum.wholeBodies.formUnion(other.wholeBodies)
        return sum
    }

    /// This redaction, which also shows JSON, forms and multipart bodies field by field.
    package var showingFields: Redaction {
        var shown = self
        shown.showsFields = true
        return shown
    }
}

extension Redaction {
    /// Whether to show the value of a header field that isn't marked sensitive.
    func shows(_ name: HTTPHeaderName) -> Bool {
        !name.isCredential && !headers.contains(name)
            && (name.isHarmless || shownHeaders.contains(name))
    }

    /// Whether to show bodies of a media type, whole or field by field.
    func shows(_ kind: BodyKind, type: String?) -> Bool {
        guard kind == .other else { return showsFields }
        guard !wholeBodies.isEmpty else { return false }
        let essence = MimeTypeParts.essence(of: type ?? MimeType.binary.rawValue)
        return wholeBodies.contains("\(essence.type)/\(essence.subtype)")
            || wholeBodies.contains("*/*")
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

    /// Redacts a short text, such as the name of a file.
    func shown(_ text: String) -> String {
        guard hidesSecrets else { return text }
        let shown = Redactor(self).text(Array(text.utf8)[...])
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? Self.mark
    }

    /// Whether to redact the value of this name in a query or a form.
    func hides(queryName name: some Collection<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || SecretNames.suggestsInQuery(name)
            || contains(name, in: queryNames) || contains(name, in: bodyFields)
    }

    /// Whether to redact the value of this JSON member.
    func hides(bodyField name: some Collection<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || contains(name, in: bodyFields)
    }

    /// Whether a text contains the name of a secret.
    func finds(nameIn text: ArraySlice<UInt8>) -> Bool {
        if SecretNames.suggests(text) { return true }
        guard !queryNames.isEmpty || !bodyFields.isEmpty else { return false }
        let folded = String(decoding: text, as: UTF8.self).lowercased()
        return queryNames.union(bodyFields).contains { folded.contains($0) }
    }

    private func contains(_ name: some Collection<UInt8>, in names: Set<String>) -> Bool {
        !names.isEmpty && names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }
}
