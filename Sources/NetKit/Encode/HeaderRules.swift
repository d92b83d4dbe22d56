/// The rules for merging and validating header fields.
enum HeaderRules {
    /// Merges the header fields, with the most specific taking precedence, and validates them.
    ///
    /// - Parameters:
    ///   - accept: The media type that the decoding accepts.
    ///   - own: The request's fields, from `headers`, `authToken` and `@Header`.
    ///   - defaults: The endpoint's fields.
    ///   - base: The endpoint's base URL.
    ///   - target: The request's URL. If its origin isn't the base URL's, the endpoint's credentials and `Host` are
    ///     removed.
    ///   - body: The body, or nil without one, which means no `Content-Type`.
    ///   - redaction: The redaction, whose header fields count as credentials.
    ///   - isAuthenticated: Whether to send the user and password of the base URL. Defaults to true.
    /// - Returns: The merged fields, with NetKit's `User-Agent` if there is none.
    /// - Throws: ``InvalidRequest`` for a field that must not be sent.
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
        let hasUserAgent = headers[.userAgent] != nil
        try check(&headers)
        // Last, as it needs no check, and every other value takes precedence.
        if !hasUserAgent { headers.append(UserAgent.standard, for: .userAgent) }
        return headers
    }

    /// Refuses fields that must not be sent, and trims the values.
    ///
    /// An empty `User-Agent` is removed: RFC 9110 has no such value, and it is how a user asks for none.
    static func check(_ headers: inout HTTPHeaders) throws(InvalidRequest) {
        guard !headers.invalidAuthToken else {
            throw InvalidRequest(
                .invalidHeader(name: HTTPHeaderName.authorization.rawName),
                "the credential has a line break, or the user name a colon"
            )
        }
        for field in headers.fields {
            let isHost = field.name == "Host" && !headers.allowsHostOverride
            let isReserved = reserved.contains(field.name)
            guard field.isValid, !isHost, !isReserved else {
                let problem =
                    if isReserved {
                        "NetKit sets it"
                    } else if isHost {
                        "NetKit sets it from the URL, unless allowsHostOverride is true"
                    } else if !HTTPMethod(rawValue: field.name.rawName).isValidToken {
                        "the name is not a token (RFC 9110, section 5.1)"
                    } else if field.value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
                        "the value contains a line break"
                    } else {
                        "the value contains a control character"
                    }
                throw InvalidRequest(.invalidHeader(name: field.name.rawName), problem)
            }
        }
        headers.trimValues()
        if headers[.userAgent]?.isEmpty == true { headers.remove(.userAgent) }
    }

    /// Fields that the transport controls (RFC 9110, section 7.6.1).
    ///
    /// An array, because comparing the lengths of a few names is faster than hashing one.
    private static let reserved: [HTTPHeaderName] = [
        .contentLength, .transferEncoding, .connection, .upgrade, .te, .trailer,
        "Keep-Alive", "Proxy-Connection",
    ]
}
