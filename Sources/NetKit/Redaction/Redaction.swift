package import Foundation
package import NetKitSupport

/// A set of rules for redacting requests and responses.
///
/// The rules apply in curl commands, transcripts, logged bodies, HAR files and recordings. Errors and one-line
/// descriptions always use ``secrets``, and show no query values. An endpoint has a redaction
/// (``Endpoint/redaction``), and a request can add to it (``Request/redaction``).
public struct Redaction: Hashable, Sendable {
    /// The placeholder for redacted text.
    package static let mark = RedactionRules.mark

    package private(set) var rules: RedactionRules

    private init(_ rules: RedactionRules) { self.rules = rules }

    /// A redaction that shows everything, even secrets.
    ///
    /// If an endpoint uses it, the redactions of requests redact nothing. Their header fields still count as sensitive.
    public static var none: Redaction {
        var none = secrets
        none.rules.hidesSecrets = false
        return none
    }

    /// A redaction of everything that can hold a secret.
    ///
    /// A body is shown as its media type and length. The values of header fields are redacted, except those of common
    /// fields that are harmless, such as `Content-Type` and `ETag`. Of a query, it redacts every value with a secret's
    /// name, and values named `code`, `key`, `sid`, `ticket` or `hash`.
    ///
    /// A secret's name contains a term such as token, secret, password, session, cookie or signature, a term for an API,
    /// encryption or signing key, or the word `auth`, `otp`, `totp`, `pass`, `pin`, `pwd` or `sig`.
    ///
    /// The user name and password in a URL are removed, and so is its fragment. The placeholder is `‹redacted›` for
    /// text and `redacted` in URLs. Paths are kept, except for `user:password@` and secret `;name=value` parameters.
    public static var secrets: Redaction { Redaction(.secrets) }

    /// Creates a redaction that adds names to those of ``secrets``, or shows more.
    ///
    /// With `showsFields`, values whose name suggests a secret are redacted in JSON, forms and multipart bodies. The
    /// placeholder for a number in JSON is 0, and amounts such as `max_tokens` are kept, unless `bodyFields` has them. A
    /// body that can't be parsed is shown as its type and length.
    ///
    /// - Parameters:
    ///   - headers: The header fields to redact. They count as sensitive: a redirect to another origin drops them, and
    ///     those of ``Endpoint/headers`` are never sent there. A request whose path is an absolute URL sends its own
    ///     fields there. Defaults to none.
    ///   - queryNames: The names of query and form values to redact, in any case, also within nested names such as
    ///     `filter[account]`. Defaults to none.
    ///   - bodyFields: The names of JSON members, form fields, parts and query values to redact, likewise. Defaults to
    ///     none.
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
        rules = .secrets
        rules.headers = Set(headers.map(\.folded))
        rules.shownHeaders = Set(shownHeaders.map(\.folded))
        rules.queryNames = Set(queryNames.map { $0.lowercased() })
        rules.bodyFields = Set(bodyFields.map { $0.lowercased() })
        rules.showsFields = showsFields
        rules.wholeBodies = Set(wholeBodies.map { "\($0.type)/\($0.subtype)" })
    }

    /// Additional header fields to redact, besides those that aren't harmless.
    package var headers: Set<HTTPHeaderName> { Set(rules.headers.map { HTTPHeaderName($0.text) }) }

    /// Returns the union of two redactions.
    ///
    /// ``none`` still shows everything, but has the other's names: a sensitive field doesn't depend on what is shown.
    ///
    /// - Parameter other: The redaction to add, or nil for no addition.
    /// - Returns: The combined redaction.
    package func adding(_ other: Redaction?) -> Redaction {
        guard let other, other.rules.hidesSecrets else { return self }
        var sum = self
        sum.rules.formUnion(other.rules)
        return sum
    }

    /// This redaction, which also shows JSON, forms and multipart bodies field by field.
    package var showingFields: Redaction {
        var shown = self
        shown.rules.showsFields = true
        return shown
    }
}

extension Redaction {
    /// Redacts the value of a header field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name.
    ///   - fields: The collection that contains the field, with its sensitive marks.
    /// - Returns: The redacted value, or `‹redacted›`.
    package func shown(_ value: String, of name: HTTPHeaderName, in fields: HTTPHeaders) -> String {
        guard rules.hidesSecrets else { return value }
        if fields.isSensitive(name) { return Self.mark }
        return Redactor(rules).header(value, of: name.folded)
    }

    /// Redacts a URL, and removes its user and fragment.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The URL, with `redacted` in place of secret query values.
    package func shown(_ url: URL) -> String { rules.shown(url) }

    /// Redacts a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its `Content-Type`, or nil if it has none.
    /// - Returns: The redacted body, unchanged if it contains no secrets. A body that isn't shown is replaced by its type
    ///   and length.
    package func shown(body: Data, type: String?) -> Data {
        RedactedBody(body, type: type, by: rules).data
            ?? Data(RedactedBody.note(type: type, length: body.count).utf8)
    }
}
