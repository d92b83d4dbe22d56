import Foundation

/// Formats an exchange as redacted text: heads and bodies.
enum ExchangeText {
    /// The maximum number of bytes to show of a body.
    static let longestBody = 4_096

    /// Returns the request line, the header fields, and the body.
    static func request(_ request: EncodedRequest, by redaction: Redaction) -> [String] {
        let line = "\(request.method) \(redaction.shown(request.url))"
        let fields = fields(request.headers, redaction)
        guard let body = request.body else { return [line] + fields }
        guard let data = body.data else { return [line] + fields + ["(\(body.length) bytes)"] }
        return [line] + fields + Self.body(data, request.redactedType, redaction)
    }

    /// Returns the status, the header fields, and the body.
    static func response(_ response: HTTPResponse, by redaction: Redaction) -> [String] {
        let type = response.headers[.contentType]
        return ["\(response.status)"] + fields(response.headers, redaction)
            + Self.body(response.body, type, redaction)
    }

    private static func fields(_ fields: HTTPHeaders, _ redaction: Redaction) -> [String] {
        fields.map { "\($0.name): \(redaction.shown($0.value, of: $0.name, in: fields))" }
    }

    /// Returns a body as one piece, or none if it is empty.
    ///
    /// It reads only as much of the body as it shows.
    static func body(_ body: Data, _ type: String?, _ redaction: Redaction) -> [String] {
        guard !body.isEmpty else { return [] }
        let shown = RedactedBody(body, type: type, by: redaction, limit: longestBody)
        guard let data = shown.data else {
            return [RedactedBody.note(type: type, length: body.count)]
        }
        let part = data.prefix(longestBody)
        let isWhole = !shown.isCut && part.count == data.count
        let length = "(\(body.count) bytes)"
        if isWhole { return [String(exactly: part) ?? length] }
        // Doesn't cut within a multibyte character.
        guard let beginning = String(exactly: RedactedBody.withoutBrokenEnd(part)) else {
            return [length]
        }
        return ["\(beginning)… \(length)"]
    }
}
