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
    static func body(_ body: Data, _ type: String?, _ redaction: Redaction) -> [String] {
        guard !body.isEmpty else { return [] }
        let shown = redaction.shown(body: body, type: type)
        let text = String(decoding: shown, as: UTF8.self)
        guard text.utf8.elementsEqual(shown) else { return ["(\(body.count) bytes)"] }
        guard text.utf8.count > longestBody else { return [text] }
        // Not within a character of several bytes.
        var end = text.utf8.index(text.startIndex, offsetBy: longestBody)
        while end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return ["\(text[..<end])… (\(body.count) bytes)"]
    }
}
