/// Decodes a response's body as text.
enum TextDecoding {
    /// The text of a response in its charset; of one that is a JSON string, that string's content.
    ///
    /// - Parameter response: The response.
    /// - Returns: The text, empty for a response without a body.
    /// - Throws: ``UnreadableText`` if the body is not text.
    static func value(of response: HTTPResponse) throws(UnreadableText) -> String {
        let text = try response.strictText()
        guard response.hasJSONContent,
            response.body.first(where: { !$0.isJSONWhiteSpace }) == UInt8(ascii: "\""),
            // A text that only looks like a JSON string is itself.
            case .string(let content)? = try? JSONText.value(of: response.body)
        else { return text }
        return content
    }
}

extension HTTPResponse {
    /// Whether the Content-Type is JSON's, or that of a format built on it (RFC 6839).
    var hasJSONContent: Bool {
        guard let subtype = headers.contentType?.subtype.lowercased() else { return false }
        return subtype == "json" || subtype.hasSuffix("+json")
    }
}
