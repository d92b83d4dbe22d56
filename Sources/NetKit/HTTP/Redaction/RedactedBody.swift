public import Foundation

extension Redaction {
    /// A body as it may be shown.
    ///
    /// Members of JSON, fields of forms and parts of multipart bodies are hidden by their names; in other text, what
    /// looks like a member of JSON is. Bytes that are no text stay as they are.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of its Content-Type; nil if it has none.
    /// - Returns: The body, the same where nothing is hidden.
    public func shown(body: Data, type: String?) -> Data {
        guard hidesSecrets, !body.isEmpty else { return body }
        let mime = type.map { MimeType(rawValue: $0) }
        switch (mime?.type.lowercased(), mime?.subtype.lowercased()) {
        case ("application", "x-www-form-urlencoded"):
            let text = String(decoding: body, as: UTF8.self)
            guard text.utf8.elementsEqual(body) else { return body }
            return Data(shown(pairs: text[...]).utf8)
        case ("multipart", _):
            guard let boundary = mime?.parameters["boundary"] else { return body }
            return RedactedParts.data(body, boundary: boundary, by: self)
        case ("image", _), ("audio", _), ("video", _), ("font", _), ("application", "octet-stream"):
            return body
        default:
            return RedactedJSON.data(body, by: self)
        }
    }
}
