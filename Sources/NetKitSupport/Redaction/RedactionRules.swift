package import Foundation

/// What a redaction hides and shows.
package struct RedactionRules: Hashable, Sendable {
    /// The placeholder for redacted text.
    package static let mark = "‹redacted›"

    /// The rules that hide everything that can be secret.
    package static let secrets = RedactionRules()

    /// Whether anything is redacted.
    package var hidesSecrets = true
    /// Additional header fields to redact, besides those that aren't harmless.
    package var headers: Set<FoldedName> = []
    /// Header fields to show although they aren't known to be harmless.
    package var shownHeaders: Set<FoldedName> = []
    /// The names of query and form values to redact, in lowercase.
    package var queryNames: Set<String> = []
    /// The names of members, fields, parts and query values to redact, in lowercase.
    package var bodyFields: Set<String> = []
    /// Whether JSON, forms and multipart bodies are shown field by field.
    package var showsFields = false
    /// The media types of other bodies to show, as `type/subtype` in lowercase.
    package var wholeBodies: Set<String> = []

    package init() {}

    /// Adds the names of other rules, and what they show.
    package mutating func formUnion(_ other: RedactionRules) {
        headers.formUnion(other.headers)
        shownHeaders.formUnion(other.shownHeaders)
        queryNames.formUnion(other.queryNames)
        bodyFields.formUnion(other.bodyFields)
        showsFields = showsFields || other.showsFields
        wholeBodies.formUnion(other.wholeBodies)
    }
}

extension RedactionRules {
    /// Whether to show the value of a header field that isn't marked sensitive.
    func shows(_ name: FoldedName) -> Bool {
        !name.isCredential && !headers.contains(name)
            && (name.isHarmless || shownHeaders.contains(name))
    }

    /// Whether to show bodies of a media type, whole or field by field.
    func shows(_ kind: BodyKind, type: String?) -> Bool {
        guard kind == .other else { return showsFields }
        guard !wholeBodies.isEmpty else { return false }
        let essence = MimeTypeParts.essence(of: type ?? "application/octet-stream")
        return wholeBodies.contains("\(essence.type)/\(essence.subtype)")
            || wholeBodies.contains("*/*")
    }

    /// Whether anything of a body of this media type is shown, if the body isn't empty.
    package func showsBody(ofType type: String?) -> Bool {
        !hidesSecrets || shows(BodyKind(type), type: type)
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
    package func shown(_ text: String) -> String {
        guard hidesSecrets else { return text }
        let shown = Redactor(self).text(Array(text.utf8)[...])
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? Self.mark
    }

    /// Whether to redact the value of this name in a query or a form.
    @inline(never)
    package func hides(queryName name: ArraySlice<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || SecretNames.suggestsInQuery(name)
            || lists(name, in: queryNames) || lists(name, in: bodyFields)
    }

    /// Whether to redact the value of this JSON member.
    @inline(never)
    func hides(bodyField name: ArraySlice<UInt8>) -> Bool {
        guard hidesSecrets else { return false }
        return SecretNames.suggests(name) || lists(name, in: bodyFields)
    }

    /// Whether to show numbers of this JSON member, whose name only sounds secret.
    func showsAmounts(of name: ArraySlice<UInt8>) -> Bool {
        SecretNames.suggestsAmount(name) && !lists(name, in: bodyFields)
    }

    /// Whether a text contains the name of a secret.
    func finds(nameIn text: ArraySlice<UInt8>) -> Bool {
        if SecretNames.suggests(text) { return true }
        guard !queryNames.isEmpty || !bodyFields.isEmpty else { return false }
        guard !CombiningMarks.areTooMany(in: text) else { return true }
        let folded = String(decoding: text, as: UTF8.self).lowercased()
        return queryNames.union(bodyFields).contains { folded.contains($0) }
    }

    /// Whether a name, or a part of a nested one such as `user[iban]`, is in a list.
    @inline(never)
    private func lists(_ name: ArraySlice<UInt8>, in names: Set<String>) -> Bool {
        guard !names.isEmpty else { return false }
        // Swift can't compare such a name in time.
        guard !CombiningMarks.areTooMany(in: name) else { return true }
        return contains(name, in: names)
            || name.split { "[].".utf8.contains($0) }.contains { contains($0, in: names) }
    }

    private func contains(_ name: ArraySlice<UInt8>, in names: Set<String>) -> Bool {
        names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }
}
