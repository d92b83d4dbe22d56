/// A body and what it is.
struct EncodedBody: Sendable {
    /// What may be called by another media type than its own.
    enum Kind: Sendable {
        /// Bytes or text, which may be anything.
        case anything
        /// JSON, of which there are many types.
        case json
        /// A form or a file, which is nothing else.
        case exact
        /// Parts, whose type has to name what separates them.
        case multipart(boundary: String)
    }

    let source: BodySource
    /// The media type, unless a header says otherwise.
    let mime: String
    let kind: Kind

    /// The media type that the body is sent with.
    ///
    /// One in the request's own fields counts. One in the endpoint's fields is meant for all kinds of
    /// bodies, so that it counts where it can be true: for bytes and text, and for JSON if it is a
    /// type of JSON. Multipart bodies take the subtype of a multipart type and nothing else, since no
    /// server could find their parts otherwise.
    ///
    /// - Parameters:
    ///   - own: The value of the request's own `Content-Type`.
    ///   - endpoint: The value of the endpoint's.
    /// - Returns: The value to send.
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
