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
        return rest.dropFirst(isLast ? 2 : 0).allSatisfy(\.isBlank) ? isLast : nil
    }

    /// Redacts the text between two delimiters, or outside all of them.
    private mutating func redact(from start: Int, to end: Int, isPart: Bool, isCut: Bool) -> Bool {
        let text = bytes[start..<end]
        // Another parser might accept a delimiter that this one doesn't.
        guard !containsDelimiter(text) else { return false }
        guard isPart else {
            let isBlank = text.allSatisfy(\.isBlank)
            if !isBlank { edits.replace(text.indices, with: Redaction.mark.utf8 + [0x0D, 0x0A]) }
            return true
        }
        guard let head = PartHead(text) else {
            guard isCut else { return false }
            if !text.isEmpty { edits.replace(text.indices, with: Redaction.mark.utf8) }
            return true
        }
        for field in head.fields {
            let value = String(decoding: text[field.value], as: UTF8.self)
            let shown = redactor.header(value, of: field.name)
            if shown != value { edits.replace(field.value, with: Array(shown.utf8)) }
        }
        redact(content: isCut ? text[head.end...] : Self.withoutLineEnd(text[head.end...]), head)
        return true
    }

    private mutating func redact(content: ArraySlice<UInt8>, _ head: PartHead) {
        guard !content.isEmpty else { return }
        let isHidden = head.names.contains { redactor.redaction.hides(queryName: $0) }
        guard !isHidden else { return edits.replace(content.indices, with: Redaction.mark.utf8) }
        let type = head.fields.first { $0.name == .contentType }
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
