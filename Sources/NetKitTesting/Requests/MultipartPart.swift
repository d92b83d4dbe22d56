public import Foundation
import NetKitSupport

/// A part of a `multipart/form-data` body, as received.
public struct MultipartPart: Sendable {
    /// The part's header fields, as sent and in order.
    public let headers: [(name: String, value: String)]
    /// The part's content, without the line break before the next boundary.
    public let body: Data
    /// The field name in Content-Disposition.
    public let name: String?
    /// The file name in Content-Disposition; nil for a part that is not a file.
    public let fileName: String?

    /// The part's content as text.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The part's Content-Type.
    public var contentType: String? { header("Content-Type") }

    /// Returns the value of the first field with a name, ignoring case.
    public func header(_ name: String) -> String? {
        headers.first { FoldedName($0.name) == FoldedName(name) }?.value
    }

    init(fields: [HeaderField], body: Data) {
        headers = fields.map { ($0.name, $0.value) }
        self.body = body
        let disposition = fields.first { $0.isNamed("Content-Disposition") }?.value ?? ""
        name = Self.parameter("name", of: disposition)
        fileName = Self.parameter("filename", of: disposition)
    }

    /// Returns the parts of a body; empty if its type is not multipart.
    static func parts(of body: Data, contentType: String?) -> [MultipartPart] {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/"),
            let boundary = parameter("boundary", of: contentType)
        else { return [] }
        return parts(of: body, boundary: boundary)
    }

    /// Returns the parts of a body; empty if the boundary doesn't frame it as RFC 2046 requires.
    static func parts(of body: Data, boundary: String) -> [MultipartPart] {
        // The first boundary doesn't need a preceding line break.
        let delimiter = Data("\r\n--\(boundary)".utf8)
        let framed = Data("\r\n".utf8) + body
        var parts: [MultipartPart] = []
        guard var previous = framed.range(of: delimiter) else { return [] }
        while let next = framed.range(of: delimiter, in: previous.upperBound..<framed.endIndex) {
            guard let part = part(framed[previous.upperBound..<next.lowerBound]) else { return [] }
            parts.append(part)
            previous = next
        }
        return framed[previous.upperBound...].starts(with: "--".utf8) ? parts : []
    }

    private static func part(_ bytes: Data) -> MultipartPart? {
        guard bytes.starts(with: "\r\n".utf8) else { return nil }
        let end = Data("\r\n\r\n".utf8)
        guard let headEnd = bytes.range(of: end) else { return nil }
        let head = Data(bytes[(bytes.startIndex + 2)..<headEnd.upperBound])
        let fields = head.withUnsafeBytes { bytes -> [HeaderField]? in
            var rest = bytes[...]
            // A part with a malformed head is invalid, and no caller uses the reason.
            return try? RequestHeadParser.fields(&rest)
        }
        guard let fields else { return nil }
        return MultipartPart(fields: fields, body: Data(bytes[headEnd.upperBound...]))
    }

    /// Returns a parameter's value, with or without quotes.
    ///
    /// Browsers write a backslash as it is and a quote as `%22`, which is kept. The text is read by
    /// scalars, because a quote and a combining mark after it form one character.
    static func parameter(_ name: String, of value: String) -> String? {
        var rest = value.unicodeScalars.drop { $0 != ";" }
        while rest.popFirst() == ";" {
            let key = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(key.count)
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let isQuoted = rest.first == "\""
            if isQuoted { rest.removeFirst() }
            let end: Unicode.Scalar = isQuoted ? "\"" : ";"
            let parameterValue = rest.prefix { $0 != end }
            rest = rest.dropFirst(parameterValue.count).drop { $0 != ";" }
            guard String(key).trimmedOfBlanks.lowercased() == name else { continue }
            let text = String(parameterValue)
            return isQuoted ? text : text.trimmedOfBlanks
        }
        return nil
    }
}
