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
            return Data(shown(pairs: body))
        case ("multipart", _):
            guard let boundary = mime?.parameters["boundary"] else { return body }
            return RedactedParts.data(body, boundary: boundary, by: self)
        case ("image", _), ("audio", _), ("video", _), ("font", _), ("application", "octet-stream"):
            return body
        default:
            if RedactedAddress.isAddress(body) {
                return Data(RedactedAddress(body, by: self).shown)
            }
            return shown(json: body)
        }
    }

    /// JSON may be in UTF-16, too.
    private func shown(json: Data) -> Data {
        guard json.prefix(4).contains(0),
            let text = String(data: json, encoding: .utf16)
        else { return RedactedJSON.data(json, by: self) }
        let plain = Data(text.utf8)
        let shown = RedactedJSON.data(plain, by: self)
        guard shown != plain else { return json }
        return String(decoding: shown, as: UTF8.self).data(using: .utf16)
            ?? Data(Redaction.mark.utf8)
    }
}
