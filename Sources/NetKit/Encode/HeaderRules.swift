/// Which header fields a request is sent with, and which it must not be.
enum HeaderRules {
    /// Lays the fields over one another, the more specific on top, and checks the result.
    ///
    /// - Parameters:
    ///   - accept: What the decoding takes.
    ///   - own: The request's own fields, from `headers`, `authToken` and `@Header`.
    ///   - endpoint: The endpoint's fields.
    ///   - target: Where the request goes.
    ///   - body: The body, nil without one. Its type gives way to the request's own, and to the
    ///     endpoint's where it is only bytes or text; without a body there is no `Content-Type`.
    /// - Returns: The fields.
    /// - Throws: ``InvalidRequest`` for one that must not be sent.
    static func headers(
        accept: String,
        own: HTTPHeaders,
        endpoint: HTTPHeaders,
        target: TargetURL,
        body: EncodedBody?
    ) throws(InvalidRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers[.accept] = accept
        if let credentials = target.credentials { headers.authToken = credentials }
        headers = headers.merging(target.isOnBaseOrigin ? endpoint : endpoint.withoutCredentials())
        if let body, !body.isGeneric || headers[.contentType] == nil {
            headers[.contentType] = body.contentType
        }
        headers = headers.merging(own)
        if body == nil { headers.remove(.contentType) }
        guard !headers.invalidAuthToken else {
            throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.authorization.rawName))
        }
        if let name = headers.firstInvalidFieldName ?? headers.firstReservedName {
            throw InvalidRequest(.invalidHeader(name: name))
        }
        return headers
    }
}

extension HTTPHeaders {
    /// The first field that is the connection's business (RFC 9110, section 7.6.1), or would
    /// contradict what the transport sends itself.
    fileprivate var firstReservedName: String? {
        first { field in
            HTTPHeaders.reserved.contains(field.name)
                || (field.name == .host && !allowsHostOverride)
        }?
        .name.rawName
    }

    private static let reserved: Set<HTTPHeaderName> = [
        .contentLength, .transferEncoding, .connection, .upgrade, .te, .trailer,
        "Keep-Alive", "Proxy-Connection",
    ]
}
