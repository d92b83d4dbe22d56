import Foundation

/// An exchange as text: heads and bodies, without secrets.
enum ExchangeText {
    /// The most bytes of a body that are shown.
    static let longestBody = 4_096

    /// The request: its line, fields and body.
    static func request(_ request: EncodedRequest) -> [String] {
        let redaction = request.redaction
        let line = "\(request.method) \(redaction.shown(request.url))"
        let fields = fields(request.headers, redaction)
        guard let body = request.body else { return [line] + fields }
        guard let data = body.data else { return [line] + fields + ["(\(body.length) bytes)"] }
        return [line] + fields + Self.body(data, request.headers[.contentType], redaction)
    }

    /// A response: its status, fields and body.
    static func response(_ response: HTTPResponse, to request: EncodedRequest) -> [String] {
        let redaction = request.redaction
        let type = response.headers[.contentType]
        return ["\(response.status)"] + fields(response.headers, redaction)
            + Self.body(response.body, type, redaction)
    }

    private static func fields(_ fields: HTTPHeaders, _ redaction: Redaction) -> [String] {
        fields.map { "\($0.name): \(redaction.shown($0.value, of: $0.name, in: fields))" }
    }

    /// A body in one piece, none for an empty one.
    ///
    /// No more of it is looked at than it takes to show its first part.
    static func body(_ body: Data, _ type: String?, _ redaction: Redaction) -> [String] {
        guard !body.isEmpty else { return [] }
        let shown = RedactedBody(body, type: type, by: redaction, limit: longestBody)
        switch shown.obstacle {
        case .unreadable: return [RedactedBody.note(type: type, length: body.count)]
        case .binary: return ["(\(body.count) bytes)"]
        case nil: break
        }
        let part = shown.data.prefix(longestBody)
        let isWhole = !shown.isCut && part.count == shown.data.count
        let length = "(\(body.count) bytes)"
        if isWhole { return [String(exactly: part) ?? length] }
        // Not within a character of several bytes.
        guard let beginning = String(exactly: HARText.withoutBrokenEnd(part)) else {
            return [length]
        }
        return ["\(beginning)… \(length)"]
    }
}
