package import Foundation

/// A body, or the first part of one, as it may be shown.
package struct RedactedBody {
    /// Why a body is not shown as text.
    package enum Obstacle: Hashable, Sendable {
        /// It is of a type that names what is secret, and cannot be read.
        case unreadable
        /// It is no text.
        case binary
    }

    /// The bytes without what is hidden; none of what is unreadable.
    package let data: Data
    /// Why it is not shown as text; nil if it is.
    package let obstacle: Obstacle?
    /// Whether the end of the body was not looked at, and is missing.
    package let isCut: Bool
    /// How many bytes were looked at to make it, on all levels of text within text.
    package let steps: Int

    /// Redacts a body, or so much of it as has to be known to show its first `limit` bytes.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its Content-Type; nil if it has none.
    ///   - redaction: What is hidden.
    ///   - limit: How many bytes are to be shown. Defaults to all of them.
    package init(_ body: Data, type: String?, by redaction: Redaction, limit: Int = .max) {
        guard redaction.hidesSecrets, !body.isEmpty else {
            (data, obstacle, isCut, steps) = (body, nil, false, 0)
            return
        }
        // A token that begins before the limit is known as a whole, unless it is a very long one.
        let (sum, overflow) = limit.addingReportingOverflow(max(limit, 1 << 12))
        let part = body.prefix(overflow ? .max : sum)
        isCut = part.count < body.count
        let bytes = [UInt8](isCut ? Self.withoutBrokenEnd(part) : part)
        let redactor = Redactor(redaction)
        let shown = redactor.body(bytes[...], type: type)
        steps = redactor.effort.steps
        if let shown {
            let isBinary = BodyKind(type) == .binary && !BodyKind.isText(bytes[...])
            data = shown == bytes && !isCut ? body : Data(shown)
            obstacle = isBinary ? .binary : nil
        } else {
            (data, obstacle) = (Data(), .unreadable)
        }
    }

    /// What stands in the place of a body that cannot be read: its media type and length.
    package static func note(type: String?, length: Int) -> String {
        let essence = type.map { MimeTypeParts.essence(of: $0) }
        let name =
            essence.flatMap { type, subtype -> String? in
                let isName = type.isHTTPToken && subtype.isHTTPToken
                return isName && type.utf8.count + subtype.utf8.count < 100
                    ? "\(type)/\(subtype)" : nil
            } ?? "unknown type"
        return "‹redacted: \(name), \(length) \(length == 1 ? "byte" : "bytes")›"
    }

    /// The bytes without the beginning of a character at their end.
    private static func withoutBrokenEnd(_ data: Data) -> Data {
        // UTF-32 has four bytes a character, and there are zeros in it as in UTF-16.
        guard !data.prefix(4).contains(0) else { return data.prefix(data.count & ~3) }
        var rest = data
        while let last = rest.last, data.count - rest.count < 4, last & 0xC0 == 0x80 {
            rest.removeLast()
        }
        return rest.last.map { $0 >= 0xC0 } == true ? rest.dropLast() : data
    }
}

extension Redaction {
    /// A body as it may be shown.
    ///
    /// Members of JSON, fields of forms, parts of multipart bodies, and elements and attributes of XML are hidden by
    /// their names, also where one of these stands within another. In other text, what looks like the assignment
    /// of a secret is hidden. Bytes that are no text stay as they are, unless they begin as JSON. The work is linear in
    /// the body's length.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its Content-Type; nil if it has none.
    /// - Returns: The body, the same where nothing is hidden. Of one that is, or begins as, JSON, multipart or
    ///   XML and cannot be read as such, its type and length.
    package func shown(body: Data, type: String?) -> Data {
        let shown = RedactedBody(body, type: type, by: self)
        guard shown.obstacle == .unreadable else { return shown.data }
        return Data(RedactedBody.note(type: type, length: body.count).utf8)
    }
}

extension Redactor {
    /// A body of a media type.
    ///
    /// - Returns: The body, the same where nothing is hidden; nil where it cannot be read.
    func body(_ bytes: ArraySlice<UInt8>, type: String?) -> [UInt8]? {
        let kind = BodyKind(type)
        effort.add(bytes.count)
        if case .multipart(let boundary) = kind {
            return boundary.flatMap { RedactedParts.bytes(bytes, boundary: $0, by: self) }
        }
        if let wide = WideText(bytes, type: type) {
            if let plain = wide.utf8, kind != .binary || BodyKind.isText(plain[...]) {
                guard let shown = text(plain[...], of: kind) else { return nil }
                return shown == plain ? Array(bytes) : wide.encoded(shown)
            }
            if kind != .binary { return nil }
        }
        guard kind != .binary || BodyKind.isText(bytes) else { return binary(bytes) }
        return BodyKind.isKnownCharset(of: type) ? text(bytes, of: kind) : nil
    }

    /// Bytes that are no text; nil if they begin as JSON, in which a control character makes names unreadable.
    private func binary(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let start = Array(bytes.lazy.filter { !$0.isBlank }.prefix(2))
        let isJSON =
            start.first == UInt8(ascii: "{") && start.last == UInt8(ascii: "\"")
            || start.first == UInt8(ascii: "[")
                && "[{\"-0123456789tfn".utf8.contains(start[1...].first ?? 0)
        return isJSON ? nil : Array(bytes)
    }

    private func text(_ bytes: ArraySlice<UInt8>, of kind: BodyKind) -> [UInt8]? {
        guard mayLookInto else { return nil }
        return switch kind {
        case .json: RedactedJSON.bytes(bytes, by: self)
        case .form: RedactedForm.body(bytes, by: self)
        case .xml: RedactedXML.bytes(bytes, by: self)
        case .html: RedactedXML.bytes(bytes, by: self, isDocument: false)
        case .text, .binary, .multipart: text(bytes)
        }
    }
}
