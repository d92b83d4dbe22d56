package import Foundation

/// A redacted body, or its redacted beginning.
package struct RedactedBody {
    /// A reason why a body isn't shown as text.
    package enum Obstacle: Hashable, Sendable {
        /// A type with secret names whose content can't be parsed.
        case unreadable
        /// Binary content.
        case binary
    }

    /// The redacted bytes, empty if the body is unreadable.
    package let data: Data
    /// The reason why the body isn't shown as text, or nil if it is.
    package let obstacle: Obstacle?
    /// Whether the body was cut off before its end.
    package let isCut: Bool
    /// The number of bytes examined, at all levels of nested text.
    package let steps: Int

    /// Redacts a body, or as much of it as its first `limit` bytes require.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its `Content-Type`, or nil if it has none.
    ///   - redaction: The redaction to apply.
    ///   - limit: The number of bytes to show. Defaults to all of them.
    package init(_ body: Data, type: String?, by redaction: Redaction, limit: Int = .max) {
        guard redaction.hidesSecrets, !body.isEmpty else {
            (data, obstacle, isCut, steps) = (body, nil, false, 0)
            return
        }
        // Read past the limit, so that a token across it is complete unless it is very long.
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

    /// Returns the placeholder for an unreadable body: its media type and length.
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

    /// Removes an incomplete character at the end.
    private static func withoutBrokenEnd(_ data: Data) -> Data {
        // UTF-32 has four bytes per character. Like UTF-16, it contains zeros.
        guard !data.prefix(4).contains(0) else { return data.prefix(data.count & ~3) }
        var rest = data
        while let last = rest.last, data.count - rest.count < 4, last & 0xC0 == 0x80 {
            rest.removeLast()
        }
        return rest.last.map { $0 >= 0xC0 } == true ? rest.dropLast() : data
    }
}

extension Redaction {
    /// Redacts a body.
    ///
    /// JSON members, form fields, multipart parts, and XML elements and attributes are redacted by name, also when one
    /// format is nested in another. In other text, anything that looks like the assignment of a secret is redacted.
    /// Binary content is kept, unless it begins like JSON. The work is linear in the length of the body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its `Content-Type`, or nil if it has none.
    /// - Returns: The redacted body, unchanged if it contains no secrets. A body that is, or begins like, JSON,
    ///   multipart or XML but can't be parsed is replaced by its type and length.
    package func shown(body: Data, type: String?) -> Data {
        let shown = RedactedBody(body, type: type, by: self)
        guard shown.obstacle == .unreadable else { return shown.data }
        return Data(RedactedBody.note(type: type, length: body.count).utf8)
    }
}

extension Redactor {
    /// Redacts a body of a media type.
    ///
    /// - Returns: The redacted body, unchanged if it contains no secrets, or nil if it can't be parsed.
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

    /// Redacts binary content.
    ///
    /// Nil if it begins like JSON, because control characters can conceal names.
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
