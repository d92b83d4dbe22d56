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
        let essence = MimeTypeParts.essence(of: type ?? "")
        let subtype = essence.subtype
        switch (essence.type, subtype) {
        case ("multipart", _):
            let boundary = type.flatMap { MimeTypeParts(received: $0)?.parameters["boundary"] }
            self = .multipart(boundary.map { Array($0.utf8) })
        case (_, "x-www-form-urlencoded"): self = .form
        case _ where subtype.hasSuffix("json") || subtype.hasSuffix("json-seq"): self = .json
        default: self = .other
        }
    }

    /// Whether a charset is ASCII-compatible, so that names can be found by their bytes.
    static func isKnownCharset(of type: String?) -> Bool {
        guard let charset = type.flatMap({ MimeTypeParts(received: $0)?.parameters["charset"] })
        else {
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
    ///   - rules: The rules to apply.
    ///   - limit: The number of bytes to show. Defaults to all of them.
    package init(_ body: Data, type: String?, by rules: RedactionRules, limit: Int = .max) {
        guard rules.hidesSecrets, !body.isEmpty else {
            (data, isCut, steps) = (body, false, 0)
            return
        }
        guard rules.shows(BodyKind(type), type: type) else {
            (data, isCut, steps) = (nil, false, 0)
            return
        }
        // Read past the limit, so that a token across it is complete unless it is very long.
        let (sum, overflow) = limit.addingReportingOverflow(max(limit, 1 << 12))
        let part = body.prefix(overflow ? .max : sum)
        isCut = part.count < body.count
        let bytes = [UInt8](isCut ? Self.withoutBrokenEnd(part) : part)
        let redactor = Redactor(rules)
        let shown = redactor.body(bytes[...], type: type)
        steps = redactor.effort.steps
        data = shown == bytes && !isCut ? body : shown.map { Data($0) }
    }

    /// Returns a body as one piece of text with a limited length, or none if it is empty.
    ///
    /// It reads only as much of the body as it shows.
    package static func pieces(
        of body: Data,
        type: String?,
        by rules: RedactionRules,
        atMost limit: Int
    ) -> [String] {
        guard !body.isEmpty else { return [] }
        let shown = RedactedBody(body, type: type, by: rules, limit: limit)
        guard let data = shown.data else { return [note(type: type, length: body.count)] }
        let part = data.prefix(limit)
        let isWhole = !shown.isCut && part.count == data.count
        let length = "(\(body.count) bytes)"
        if isWhole { return [String(exactly: part) ?? length] }
        // Doesn't cut within a multibyte character.
        guard let beginning = String(exactly: withoutBrokenEnd(part)) else { return [length] }
        return ["\(beginning)… \(length)"]
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

extension RedactionRules {
    /// Redacts the content of a form's part that is a field rather than a file.
    package func shown(field content: Data) -> Data {
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
        guard mayLookInto, rules.shows(kind, type: type), BodyKind.isKnownCharset(of: type)
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
        let isText = !bytes.contains { $0 < 0x20 && !$0.isJSONWhiteSpace }
        return isText && String(exactly: Data(bytes)) != nil ? text(bytes) : nil
    }
}

/// A redactor for the values of a query or a form.
///
/// It redacts a value because of its name, or because it contains a secret. It reads bytes, because in a `String` a
/// sign with a combining mark is a different character.
enum RedactedForm {
    /// The placeholder for a value, which needs no encoding.
    static let mark = Array("redacted".utf8)

    /// Redacts a body with the media type of forms.
    ///
    /// - Returns: The form, or nil if the body isn't one.
    static func body(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8]? {
        // curl and other clients label any body as a form.
        switch bytes.first(where: { !$0.isJSONWhiteSpace }) {
        case UInt8(ascii: "{"): return RedactedJSON.bytes(bytes, by: redactor)
        case UInt8(ascii: "["):
            if let json = RedactedJSON.bytes(bytes, by: redactor) { return json }
        default: break
        }
        let isForm = bytes.allSatisfy { $0 > 0x20 && !"<>\"\\".utf8.contains($0) }
        return isForm ? pairs(bytes, hidingFlags: true, by: redactor) : nil
    }

    /// Redacts the pairs of a query or a form.
    ///
    /// - Parameters:
    ///   - bytes: The pairs.
    ///   - hidesFlags: Whether to redact a value without a name. Defaults to false.
    ///   - redactor: The redactor, which also examines values with nested text.
    /// - Returns: The redacted pairs.
    static func pairs(
        _ bytes: ArraySlice<UInt8>,
        hidingFlags hidesFlags: Bool = false,
        by redactor: Redactor
    ) -> [UInt8] {
        redactor.effort.add(bytes.count)
        var edits = Edits(bytes)
        var start = bytes.startIndex
        while start <= bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            redact(bytes[start..<end], hidingFlags: hidesFlags, &edits, by: redactor)
            start = end + 1
        }
        return edits.edited
    }

    private static func redact(
        _ pair: ArraySlice<UInt8>,
        hidingFlags hidesFlags: Bool,
        _ edits: inout Edits,
        by redactor: Redactor
    ) {
        let sign = pair.firstIndex(of: UInt8(ascii: "="))
        let value = sign.map { pair[($0 + 1)...] } ?? pair
        guard !value.isEmpty, !value.elementsEqual(RedactionRules.mark.utf8) else { return }
        if !(sign.map { hides(name: pair[..<$0], by: redactor) } ?? hidesFlags) {
            let plain = decoded(value, by: redactor)
            guard redactor.nested.text(plain[...]) != plain else { return }
        }
        edits.replace(value.indices, with: mark)
    }

    /// Whether a name is secret, however often it is percent-encoded.
    static func hides(name: ArraySlice<UInt8>, by redactor: Redactor) -> Bool {
        var name = Array(name)
        for _ in 0..<4 {
            let plain = decoded(name[...], by: redactor)
            guard plain != name else { return redactor.rules.hides(queryName: name[...]) }
            name = plain
        }
        return true
    }

    /// Percent-decodes a name or a value.
    static func decoded(_ bytes: ArraySlice<UInt8>, by redactor: Redactor) -> [UInt8] {
        redactor.effort.add(bytes.count)
        return FormFields.decoded(bytes, plusIsSpace: true)
    }

    /// Whether a text without blanks begins like a form.
    static func isForm(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.prefix { byte in
            WordTable.letter(byte) != nil || (0x30...0x39).contains(byte)
                || "_-.~%+*[]$".utf8.contains(byte)
        }
        return !name.isEmpty && name.endIndex < bytes.endIndex
            && bytes[name.endIndex] == UInt8(ascii: "=")
    }
}

/// A redactor for the parts of a multipart body, by name (RFC 7578).
///
/// A part's content is redacted by its own media type. A part of a form without a type is a field.
struct RedactedParts {
    private let bytes: ArraySlice<UInt8>
    /// Two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let redactor: Redactor
    private var edits: Edits

    /// Redacts a multipart body.
    ///
    /// - Parameters:
    ///   - bytes: The body, which can be truncated. Lines can end with LF alone.
    ///   - boundary: The boundary between the parts.
    ///   - redactor: The redactor, which also examines the parts that are kept.
    /// - Returns: The redacted body, or nil if it doesn't consist of parts.
    static func bytes(
        _ bytes: ArraySlice<UInt8>,
        boundary: [UInt8],
        by redactor: Redactor
    ) -> [UInt8]? {
        // The longest valid boundary (RFC 2046, section 5.1.1).
        guard (1...70).contains(boundary.count), redactor.mayLookInto else { return nil }
        redactor.effort.add(bytes.count)
        var parts = RedactedParts(
            bytes: bytes,
            delimiter: Array("--".utf8) + boundary,
            redactor: redactor,
            edits: Edits(bytes)
        )
        return parts.redact() ? parts.edits.edited : nil
    }

    private mutating func redact() -> Bool {
        var index = bytes.startIndex
        // The start of the current part. Nil in the preamble.
        var part: Int?
        var isFound = false
        while index < bytes.endIndex {
            let end = lineEnd(from: index)
            if let isLast = isDelimiter(bytes[index..<end]) {
                guard
                    redact(
                        from: part ?? bytes.startIndex,
                        to: index,
                        isPart: part != nil,
                        isCut: false
                    )
                else { return false }
                isFound = true
                part = isLast ? nil : end
                if isLast {
                    return redact(from: end, to: bytes.endIndex, isPart: false, isCut: false)
                }
            }
            index = end
        }
        guard isFound, let part else { return isFound }
        return redact(from: part, to: bytes.endIndex, isPart: true, isCut: true)
    }

    private func lineEnd(from start: Int) -> Int {
        bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
    }

    /// Whether a line is the last delimiter.
    ///
    /// Nil if it isn't a delimiter.
    private func isDelimiter(_ line: ArraySlice<UInt8>) -> Bool? {
        guard line.starts(with: delimiter) else { return nil }
        let rest = line.dropFirst(delimiter.count)
        let isLast = rest.starts(with: "--".utf8)
        return rest.dropFirst(isLast ? 2 : 0).allSatisfy(\.isJSONWhiteSpace) ? isLast : nil
    }

    /// Redacts the text between two delimiters, or outside all of them.
    private mutating func redact(from start: Int, to end: Int, isPart: Bool, isCut: Bool) -> Bool {
        let text = bytes[start..<end]
        // Another parser might accept a delimiter that this one doesn't.
        guard !containsDelimiter(text) else { return false }
        guard isPart else {
            let isBlank = text.allSatisfy(\.isJSONWhiteSpace)
            if !isBlank {
                edits.replace(text.indices, with: RedactionRules.mark.utf8 + [0x0D, 0x0A])
            }
            return true
        }
        guard let head = PartHead(text) else {
            guard isCut else { return false }
            if !text.isEmpty { edits.replace(text.indices, with: RedactionRules.mark.utf8) }
            return true
        }
        guard !CombiningMarks.areTooMany(in: text[..<head.end]) else { return false }
        for field in head.fields {
            let value = String(decoding: text[field.value], as: UTF8.self)
            let shown = redactor.header(value, of: field.name)
            guard !shown.utf8.elementsEqual(value.utf8) else { continue }
            edits.replace(field.value, with: Array(shown.utf8))
        }
        redact(content: isCut ? text[head.end...] : Self.withoutLineEnd(text[head.end...]), head)
        return true
    }

    private mutating func redact(content: ArraySlice<UInt8>, _ head: PartHead) {
        guard !content.isEmpty else { return }
        let isHidden = head.names.contains { redactor.rules.hides(queryName: $0[...]) }
        guard !isHidden else {
            return edits.replace(content.indices, with: RedactionRules.mark.utf8)
        }
        let type = head.fields.first { $0.name == "Content-Type" }
            .map { String(decoding: bytes[$0.value], as: UTF8.self) }
        let isField = type == nil && !head.isFile && !head.names.isEmpty
        // The default of RFC 2046, section 5.2.
        let assumed = type ?? "text/plain"
        let shown =
            isField
            ? redactor.nested.field(content) : redactor.nested.body(content, type: assumed)
        // A recording is redacted again when it is compared.
        guard shown != nil || !RedactedBody.isNote(content, type: assumed) else { return }
        replace(content, with: shown ?? Self.note(assumed, content))
    }

    private mutating func replace(_ content: ArraySlice<UInt8>, with shown: [UInt8]) {
        if !shown.elementsEqual(content) { edits.replace(content.indices, with: shown) }
    }

    private static func note(_ type: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
        Array(RedactedBody.note(type: type, length: content.count).utf8)
    }

    private func containsDelimiter(_ text: ArraySlice<UInt8>) -> Bool {
        var index = text.startIndex
        while let place = text[index...].firstIndex(of: UInt8(ascii: "-")) {
            if text[place...].starts(with: delimiter) { return true }
            index = place + 1
        }
        return false
    }

    /// Removes the line end before a delimiter, which belongs to the delimiter.
    private static func withoutLineEnd(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.last == 0x0A else { return text }
        let rest = text.dropLast()
        return rest.last == 0x0D ? rest.dropLast() : rest
    }
}

/// The header fields of a multipart part, as far as redaction needs them.
struct PartHead {
    /// The names of the fields, and the ranges of their values.
    private(set) var fields: [(name: FoldedName, value: Range<Int>)] = []
    /// Every decoded reading of the part's name, because servers parse it differently.
    private(set) var names: [[UInt8]] = []
    /// Whether the part has a file name.
    private(set) var isFile = false
    /// The start of the content.
    private(set) var end: Int

    /// Parses the head of a part.
    ///
    /// Nil if there is none.
    init?(_ part: ArraySlice<UInt8>) {
        end = part.startIndex
        while end < part.endIndex {
            guard let lineEnd = part[end...].firstIndex(of: 0x0A) else { return nil }
            let line = part[end..<lineEnd]
            let start = end
            end = lineEnd + 1
            if line.allSatisfy({ $0 == 0x0D }) {
                readNames(in: part)
                return
            }
            if line.first == 0x20 || line.first == 0x09 {
                // A folded line continues the previous one (RFC 5322, section 2.2.3).
                guard let last = fields.indices.last else { return nil }
                fields[last].value = fields[last].value.lowerBound..<Self.textEnd(of: line)
            } else {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > start else {
                    return nil
                }
                let name = part[start..<colon].filter { $0 != UInt8(ascii: " ") }
                let value = part[(colon + 1)..<Self.textEnd(of: line)].drop { $0.isJSONWhiteSpace }
                fields.append((FoldedName(String(decoding: name, as: UTF8.self)), value.indices))
            }
        }
        return nil
    }

    private static func textEnd(of line: ArraySlice<UInt8>) -> Int {
        line.lastIndex { !$0.isJSONWhiteSpace }.map { $0 + 1 } ?? line.startIndex
    }

    /// Reads `name`, `name*` (RFC 8187), and `name*0` with its continuations (RFC 2231).
    private mutating func readNames(in part: ArraySlice<UInt8>) {
        for field in fields where field.name == "Content-Disposition" {
            var pieces: [UInt8] = []
            for parameter in Self.parameters(of: part[field.value]) {
                guard let sign = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let key = parameter[..<sign].filter { !$0.isJSONWhiteSpace }.map { $0 | 0x20 }
                if key.starts(with: "filename".utf8) { isFile = true }
                guard key.starts(with: "name".utf8),
                    key.count == 4 || key[4] == UInt8(ascii: "*")
                else { continue }
                let value = Self.unquoted(parameter[(sign + 1)...])
                let decoded = FormFields.decoded(value[...], plusIsSpace: false)
                let text = decoded.lastIndex(of: UInt8(ascii: "'")).map { decoded[($0 + 1)...] }
                names += [value, decoded] + (key.count > 4 ? text.map { [Array($0)] } ?? [] : [])
                pieces += text.map(Array.init) ?? decoded
            }
            names.append(pieces)
        }
    }

    /// Splits a value at semicolons outside quotes.
    static func parameters(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        return value.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
    }

    /// Removes quotes and backslashes, which not all senders mean as escapes.
    static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let text = value.drop { $0.isJSONWhiteSpace }
        let end = text.lastIndex { !$0.isJSONWhiteSpace }.map { $0 + 1 } ?? text.startIndex
        return text[..<end].filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
