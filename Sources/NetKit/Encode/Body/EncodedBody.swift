/// An encoded body with its media type.
struct EncodedBody: Sendable {
    /// The media types that a body can be sent with.
    enum Kind: Sendable {
        /// Any type, for bytes or text.
        case anything
        /// Any JSON type.
        case json
        /// Only the body's type, for a form or a file.
        case exact
        /// Any multipart type, with NetKit's boundary.
        case multipart(boundary: String)
    }

    let source: BodySource
    /// The default media type.
    let mime: String
    let kind: Kind

    /// Returns the media type to send.
    ///
    /// A type in the request's header fields applies. One in the endpoint's fields applies only where it can be
    /// correct: to bytes and text, and to JSON if it is a JSON type. A multipart body only adopts the subtype of a
    /// multipart type, because its boundary is required.
    ///
    /// - Parameters:
    ///   - own: The request's `Content-Type`, if any.
    ///   - endpoint: The endpoint's `Content-Type`, if any.
    /// - Returns: The value of the field.
    func contentType(own: String?, default endpoint: String?) -> String {
        switch kind {
        case .multipart(let boundary):
            let type = (own ?? endpoint).map { MimeType(rawValue: $0) }
            guard let type, type.type == "multipart", type.subtype.isHTTPToken else { return mime }
            return "multipart/\(type.subtype); boundary=\(boundary)"
        case .exact: return own ?? mime
        case .anything: return own ?? endpoint ?? mime
        case .json:
            if let own { return own }
            guard let endpoint else { return mime }
            let subtype = MimeType(rawValue: endpoint).subtype
            return subtype == "json" || subtype.hasSuffix("+json") ? endpoint : mime
        }
    }
}
