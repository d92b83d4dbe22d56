/// Which header fields a request is sent with, and which it must not be.
enum HeaderRules {
    /// Lays the fields over one another, the more specific on top, and checks the result.
    ///
    /// - Parameters:
    ///   - accept: What the decoding takes.
    ///   - own: The request's own fields, from `headers`, `authToken` and `@Header`.
    ///   - defaults: What the endpoint contributes.
    ///   - base: The endpoint's base URL.
    ///   - target: Where the request goes. Elsewhere than on the base's origin, the endpoint's
    ///     credentials and its `Host` stay behind.
    ///   - body: The body, nil without one; then there is no `Content-Type`.
    ///   - redaction: What is hidden, and so a credential.
    ///   - isAuthenticated: Whether the base URL's user and password go along.
    /// - Returns: The fields.
    /// - Throws: ``InvalidRequest`` for one that must not be sent.
    static func headers(
        accept: String,
        own: HTTPHeaders,
        defaults: HTTPHeaders,
        base: BaseURL,
        target: TargetURL,
        body: EncodedBody?,
        redaction: Redaction,
        isAuthenticated: Bool = true
    ) throws(InvalidRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers[.accept] = accept
        if target.isOnBaseOrigin {
            if isAuthenticated, let credentials = base.credentials {
                headers.authToken = credentials
            }
            headers = headers.merging(defaults)
        } else {
            headers = headers.merging(defaults.withoutCredentials(hiding: redaction.headers))
            headers.remove("Host")
        }
        if let credentials = target.credentials { headers.authToken = credentials }
        headers = headers.merging(own)
        let type = body?.contentType(own: own[.contentType], default: defaults[.contentType])
        if headers[.contentType] != type { headers[.contentType] = type }
        try check(&headers)
        return headers
    }

    /// Refuses what must not be sent, and takes the blanks around values away.
    static func check(_ headers: inout HTTPHeaders) throws(InvalidRequest) {
        guard !headers.invalidAuthToken else {
            throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.authorization.rawName))
        }
        for field in headers.fields {
            let isHost = field.name == "Host" && !headers.allowsHostOverride
            guard field.isValid, !isHost, !reserved.contains(field.name) else {
                throw InvalidRequest(.invalidHeader(name: field.name.rawName))
            }
        }
        headers.trimValues()
    }

    /// The fields that are the connection's business (RFC 9110, section 7.6.1), or would contradict what the
    /// transport sends itself.
    ///
    /// An array: comparing the lengths of a few names is less work than hashing one.
    private static let reserved: [HTTPHeaderName] = [
        .contentLength, .transferEncoding, .connection, .upgrade, .te, .trailer,
        "Keep-Alive", "Proxy-Connection",
    ]
}
