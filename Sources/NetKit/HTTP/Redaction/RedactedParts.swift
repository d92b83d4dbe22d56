import Foundation

/// Hides the content of parts of a multipart body by their names (RFC 7578).
enum RedactedParts {
    /// A body without what `redaction` hides.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - boundary: What separates its parts.
    ///   - redaction: What is hidden; JSON in a part is looked into.
    /// - Returns: The body, the same where nothing is hidden.
    static func data(_ data: Data, boundary: String, by redaction: Redaction) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        var result = Data()
        var rest = data[...]
        while let mark = rest.range(of: delimiter) {
            result += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            let end = rest.range(of: delimiter)?.lowerBound ?? rest.endIndex
            result += part(rest[..<end], by: redaction)
            rest = rest[end...]
        }
        return result + rest
    }

    /// What lies between two delimiters.
    private static func part(_ part: Data, by redaction: Redaction) -> Data {
        guard let gap = part.range(of: Data("\r\n\r\n".utf8)) else { return part }
        let head = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
        let lineEnd = Data("\r\n".utf8)
        let content = part[gap.upperBound...]
        let isEnded = content.suffix(2) == lineEnd
        let body = Data(isEnded ? content.dropLast(2) : content)
        let isHidden = name(in: head).map { redaction.hides(bodyField: $0) } ?? false
        let type = field("content-type", in: head)
        let shown = isHidden ? Data(Redaction.mark.utf8) : redaction.shown(body: body, type: type)
        return part[..<gap.upperBound] + shown + (isEnded ? lineEnd : Data())
    }

    private static func field(_ name: String, in head: String) -> String? {
        for line in head.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
                continue
            }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    private static func name(in head: String) -> String? {
        guard let disposition = field("content-disposition", in: head) else { return nil }
        for parameter in parameters(of: disposition) {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2,
                parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "name"
            else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            return value.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }

    /// What stands between semicolons that stand in no quotes.
    private static func parameters(of value: String) -> [Substring] {
        var isQuoted = false
        return value.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
    }
}
