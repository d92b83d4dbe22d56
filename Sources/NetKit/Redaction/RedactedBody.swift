package import Foundation

/// The way a body is redacted, by its media type.
enum BodyKind: Hashable {
    case json
    case form
    /// A multipart body, with its boundary if it has one.
    case multipart([UInt8]?)
    /// A body without fields, which can be shown only whole.
    case other

    /// Chooses the kind by `Content-Type`.
    init(_ type: String?) {
        let mime = MimeType(rawValue: type ?? "")
        let subtype = mime.subtype
        switch (mime.type, subtype) {
        case ("multipart", _):
            self = .multipart(mime.parameters["boundary"].map { Array($0.utf8) })
        case (_, "x-www-form-urlencoded"): self = .form
        case _ where subtype.hasSuffix("json") || subtype.hasSuffix("json-seq"): self = .json
        default: self = .other
        }
    }

    /// Whether a charset is ASCII-compatible, so that names can be found by their bytes.
    static func isKnownCharset(of type: String?) -> Bool {
        guard let charset = type.flatMap({ MimeType(rawValue: $0).parameters["charset"] }) else {
            return true
        }
        return ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "latin", "windows-125"]
            .contains { charset.lowercased().hasPrefix($0) }
    }
}

/// A redacted body, or its redacted beginning.
package struct RedactedBody {
    /// The redacted bytes, or nil if the body isn't shown.
    package let data: Data?
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
            (data, isCut, steps) = (body, false, 0)
            return
        }
        guard redaction.shows(BodyKind(type), type: type) else {
            (data, isCut, steps) = (nil, false, 0)
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
        data = shown == bytes && !isCut ? body : shown.map { Data($0) }
    }

    /// Returns the placeholder for a body that isn't shown: its media type and length.
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

    /// Whether bytes are the placeholder for a body of a type, of any length.
    package static func isNote(_ bytes: ArraySlice<UInt8>, type: String?) -> Bool {
        guard bytes.count < 160 else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let length = text.split(separator: " ").dropLast().last.flatMap({ Int($0) }) else {
            return false
        }
        return text == note(type: type, length: length)
    }

    /// Removes an incomplete character at the end of cut text.
    ///
    /// Other bytes are unchanged.
    package static func withoutBrokenEnd(_ data: Data) -> Data {
        // A character has at most four bytes.
        for count in 1...4 where count <= data.count {
            let byte = data[data.endIndex - count]
            guard byte & 0xC0 != 0x80 else { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            let rest = data.dropLast(length > count ? count : 0)
            return String(exactly: rest) != nil ? rest : data
        }
        return data
    }
}

extension Redaction {
    /// Redacts a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its `Content-Type`, or nil if it has none.
    /// - Returns: The redacted body, unchanged if it contains no secrets. A body that isn't shown is replaced by its type
    ///   and length.
    package func shown(body: Data, type: String?) -> Data {
        RedactedBody(body, type: type, by: self).data
            ?? Data(RedactedBody.note(type: type, length: body.count).utf8)
    }

    /// Redacts the content of a form's part that is a field rather than a file.
    func shown(field content: Data) -> Data {
        guard hidesSecrets, !content.isEmpty else { return content }
        let shown = shows(.form, type: nil) ? Redactor(self).field([UInt8](content)[...]) : nil
        return shown.map { Data($0) }
            ?? Data(RedactedBody.note(type: "text/plain", length: content.count).utf8)
    }
}

extension Redactor {
    /// Redacts a body of a media type.
    ///
    /// - Returns: The redacted body, unchanged if it contains no secrets, or nil if it isn't shown.
    func body(_ bytes: ArraySlice<UInt8>, type: String?) -> [UInt8]? {
        let kind = BodyKind(type)
        effort.add(bytes.count)
        guard mayLookInto, redaction.shows(kind, type: type), BodyKind.isKnownCharset(of: type)
        else {
            return nil
        }
        return switch kind {
        case .json: RedactedJSON.bytes(bytes, by: self)
        case .form: RedactedForm.body(bytes, by: self)
        case .multipart(let boundary):
            boundary.flatMap { RedactedParts.bytes(bytes, boundary: $0, by: self) }
        case .other: Array(bytes)
        }
    }

    /// Redacts the content of a form's part that is a field rather than a file.
    ///
    /// - Returns: The redacted content, or nil if it isn't shown.
    func field(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let isText = !bytes.contains { $0 < 0x20 && !$0.isBlank }
        return isText && String(exactly: Data(bytes)) != nil ? text(bytes) : nil
    }
}
