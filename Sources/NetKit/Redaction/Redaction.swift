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

/// A redactor for one message, which limits nesting and counts its work.
///
/// Texts can be nested: a form value can contain a URL whose query contains JSON. Text nested more than ``deepest``
/// levels is redacted as a whole, which bounds the work per byte.
struct Redactor {
    /// The maximum depth of nested text.
    static let deepest = 8

    /// The number of bytes examined, at all levels.
    final class Effort {
        private(set) var steps = 0

        func add(_ count: Int) {
            steps &+= count
        }
    }

    let redaction: Redaction
    let effort: Effort
    private var levelsLeft = Self.deepest

    init(_ redaction: Redaction, effort: Effort = Effort()) {
        self.redaction = redaction
        self.effort = effort
    }

    /// The redactor for text nested in this one.
    var nested: Redactor {
        var nested = self
        nested.levelsLeft -= 1
        return nested
    }

    /// Whether text at this level is examined rather than redacted as a whole.
    var mayLookInto: Bool { levelsLeft >= 0 }

    /// Redacts the text of a value: JSON, a form, a URL, or any other text.
    ///
    /// - Returns: The redacted text, unchanged if it contains no secrets. Nil for other text that can contain one.
    func text(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        effort.add(bytes.count)
        guard Self.mayHoldSecret(bytes) else { return Array(bytes) }
        guard mayLookInto else { return nil }
        let start = bytes.firstIndex { !$0.isBlank } ?? bytes.startIndex
        if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "["),
            let json = RedactedJSON.bytes(bytes, by: self)
        {
            return json
        }
        if !bytes.contains(where: \.isBlank), let word = word(bytes) { return word }
        return isSuspicious(bytes) ? nil : Array(bytes)
    }

    /// Redacts a URL, a form or a percent-encoded text; nil for other text.
    private func word(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        if RedactedURL.isURL(bytes) { return RedactedURL.bytes(bytes, by: self) }
        if RedactedForm.isForm(bytes) { return RedactedForm.pairs(bytes, by: self) }
        let isEncoded = !bytes.contains { "=:>\\".utf8.contains($0) }
        guard isEncoded else { return nil }
        let plain = RedactedForm.decoded(bytes, by: self)
        guard !plain.elementsEqual(bytes) else { return nil }
        return nested.text(plain[...]) == plain ? Array(bytes) : RedactedForm.mark
    }

    /// Whether a text has the name of a secret, a password before a host, or a query with a secret.
    private func isSuspicious(_ bytes: ArraySlice<UInt8>) -> Bool {
        effort.add(bytes.count * 2)
        if redaction.finds(nameIn: bytes) { return true }
        return bytes.split { $0.isBlank || "\"'<>`(),".utf8.contains($0) }
            .contains { word in
                if let at = word.lastIndex(of: UInt8(ascii: "@")),
                    word[..<at].contains(UInt8(ascii: ":"))
                {
                    return true
                }
                guard let mark = word.firstIndex(where: { "?#&".utf8.contains($0) }) else {
                    return false
                }
                let query = word[(mark + 1)...]
                return !RedactedForm.pairs(query, by: nested).elementsEqual(query)
            }
    }

    /// Whether a text can contain an assignment.
    static func mayHoldSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(where: mayAssign)
    }

    /// Whether a byte occurs in assignments, or between lines.
    ///
    /// Text without such bytes contains none.
    private static func mayAssign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ">"), UInt8(ascii: "%"),
            UInt8(ascii: "\\"), 0x0A, 0x0D:
            true
        default: false
        }
    }
}

extension Redactor {
    /// Redacts the value of a header field.
    ///
    /// The caller handles fields marked sensitive.
    func header(_ value: String, of name: HTTPHeaderName) -> String {
        guard redaction.shows(name) else { return Redaction.mark }
        let bytes = Array(value.utf8)
        let shown: [UInt8]? =
            switch name {
            case .location, .contentLocation, .referer: url(bytes[...])
            case .link: links(bytes)
            case .contentType, "Content-Disposition": parameters(bytes)
            default: RedactedURL.isURL(bytes[...]) ? url(bytes[...]) : text(bytes[...])
            }
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? Redaction.mark
    }

    private func url(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        RedactedURL.bytes(bytes, by: self, keepingFragment: false)
    }

    /// Redacts links, whose URLs are in angle brackets (RFC 8288).
    ///
    /// Nil if there is a secret outside the URLs.
    private func links(_ bytes: [UInt8]) -> [UInt8]? {
        var edits = Edits(bytes[...])
        var others: [UInt8] = []
        var start = bytes.startIndex
        while let opening = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
            others += bytes[start..<opening] + [UInt8(ascii: " ")]
            let end = bytes[opening...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            let url = bytes[(opening + 1)..<end]
            let shown = self.url(url)
            if !shown.elementsEqual(url) { edits.replace(url.indices, with: shown) }
            start = min(end + 1, bytes.endIndex)
        }
        others += bytes[start...]
        return text(others[...]) == others ? edits.edited : nil
    }

    /// Returns a value whose parameters contain no secret, or nil.
    ///
    /// A parameter can have a secret's name as its value: `form-data; name="password"`.
    private func parameters(_ bytes: [UInt8]) -> [UInt8]? {
        let isPlain = PartHead.parameters(of: bytes[...])
            .allSatisfy { parameter in
                let sign = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.startIndex
                let name = parameter[..<sign].filter { !$0.isBlank }
                let value = PartHead.unquoted(parameter[sign...].dropFirst(name.isEmpty ? 0 : 1))
                return !redaction.hides(queryName: name) && text(value[...]) == value
            }
        return isPlain ? bytes : nil
    }
}

/// Converts untrusted text to one short line for people, logs, and terminals.
enum BoundedLine {
    /// Returns the text as one line of limited length.
    ///
    /// Line breaks, control characters, and runs of whitespace become one space.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - maximum: The maximum number of Unicode scalars. Defaults to 200.
    /// - Returns: The line without surrounding whitespace. An ellipsis (`…`) marks removed text.
    static func text(_ text: some StringProtocol, maximum: Int = 200) -> String {
        var line = ""
        var length = 0
        var isBehindBlank = false
        for character in text {
            if character.unicodeScalars.allSatisfy(isBlank) {
                isBehindBlank = !line.isEmpty
                continue
            }
            // Counts scalars, because a character can have any number of combining ones.
            let size = character.unicodeScalars.count + (isBehindBlank ? 1 : 0)
            guard length + size <= maximum else {
                while length >= maximum, let last = line.popLast() {
                    length -= last.unicodeScalars.count
                }
                return line + "…"
            }
            if isBehindBlank { line.append(" ") }
            isBehindBlank = false
            line.append(character)
            length += size
        }
        return line
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isWhitespace || properties.generalCategory == .control
            || properties.isBidiControl
    }
}

/// Replacements in a sequence of bytes, applied from front to back.
struct Edits {
    private let bytes: ArraySlice<UInt8>
    private var result: [UInt8] = []
    /// The end of the range already copied to the result.
    private var copied: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        copied = bytes.startIndex
    }

    /// Replaces a range of bytes.
    ///
    /// Earlier replacements are kept.
    mutating func replace(_ range: Range<Int>, with other: some Collection<UInt8>) {
        guard range.upperBound > copied || range.lowerBound >= copied else { return }
        result += bytes[copied..<max(range.lowerBound, copied)]
        result += other
        copied = range.upperBound
    }

    /// The bytes with all replacements.
    var edited: [UInt8] { result + bytes[copied...] }
}
