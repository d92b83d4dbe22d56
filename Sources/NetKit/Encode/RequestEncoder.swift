package import Foundation

/// Turns a described request into one that can be sent.
///
/// Pure, but for asking for the sizes of files.
package enum RequestEncoder {
    /// Encodes a request.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - defaults: What the endpoint contributes.
    /// - Returns: The request as it is sent.
    /// - Throws: ``InvalidRequest`` if it cannot be sent.
    package static func encode<R: Request>(
        _ request: R,
        defaults: EncodingDefaults
    ) throws(InvalidRequest) -> EncodedRequest {
        try encode(request, RequestTraits.of(request), defaults: defaults)
    }

    /// Encodes a request of whose type something is known.
    static func encode<R: Request>(
        _ request: R,
        _ traits: RequestTraits,
        defaults: EncodingDefaults,
        withBody: Bool = true
    ) throws(InvalidRequest) -> EncodedRequest {
        if traits.isWrapping {
            let innermost = innermost(of: request)
            let traits = RequestTraits.of(innermost)
            return try encode(request, around: innermost, traits, defaults, withBody: withBody)
        }
        return try encode(request, around: request, traits, defaults, withBody: withBody)
    }

    /// The request inside all wrappings.
    package static func innermost(of request: some Request) -> any Request {
        guard let wrapping = request as? any ForwardingRequest else { return request }
        return innermost(of: wrapping.wrappedRequest)
    }

    /// Encodes a request; its parameters and files are those of `innermost`.
    private static func encode(
        _ request: some Request,
        around innermost: some Request,
        _ traits: RequestTraits,
        _ defaults: EncodingDefaults,
        withBody: Bool
    ) throws(InvalidRequest) -> EncodedRequest {
        if let refusal = traits.refusal { throw refusal }
        let base = try defaults.base.get()
        let parameters = try RequestParameters(of: innermost, traits)
        let method = request.method
        guard method.isValidToken else { throw InvalidRequest(.invalidMethod(method.rawValue)) }
        let body = withBody ? try parameters.body(of: request, around: innermost) : nil
        if body != nil, ["GET", "HEAD", "TRACE"].contains(method.rawValue.uppercased()) {
            throw InvalidRequest(bodyNotAllowedBy: method)
        }
        let target = try TargetURL(
            base: base,
            path: try parameters.path(in: request.path),
            query: TargetQuery(
                defaults: defaults.queryParams,
                params: parameters.query.isEmpty
                    ? request.queryParams : request.queryParams + parameters.query,
                items: request.queryItems
            )
        )
        var own = request.headers
        if let token = request.authToken { own.authToken = token }
        if !parameters.headers.isEmpty { own = own.merging(parameters.headers) }
        let redaction = defaults.redaction.adding(request.redaction)
        let isAuthenticated = request.isAuthenticated
        var headers = try HeaderRules.headers(
            accept: request.responseDecoding.accept,
            own: own,
            defaults: isAuthenticated
                ? defaults.headers : defaults.headers.withoutCredentials(hiding: redaction.headers),
            base: base,
            target: target,
            body: body,
            redaction: redaction,
            isAuthenticated: isAuthenticated
        )
        for name in redaction.headers {
            if let value = headers[name] { headers.set(name, to: value, isSensitive: true) }
        }
        var encoded = EncodedRequest(
            url: target.url,
            origin: target.origin,
            method: method,
            headers: headers,
            body: body?.source
        )
        if redaction != .secrets { encoded.redaction = redaction }
        if !isAuthenticated { encoded.isAuthenticated = false }
        return encoded
    }
}

/// What an endpoint contributes to each of its requests.
package struct EncodingDefaults: Sendable {
    /// The base URL taken apart, or why nothing can be sent there.
    let base: Result<BaseURL, InvalidRequest>
    /// What every request is sent with unless it says otherwise.
    package var headers: HTTPHeaders
    /// What the query of every request has unless it has the name itself.
    package var queryParams: [(String, String)] = []
    /// What is not shown of the requests.
    package var redaction = Redaction.secrets

    /// Takes a base URL apart.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are joined to. One that cannot be used is reported by each request.
    ///   - headers: What every request is sent with.
    package init(baseURL: URL, headers: HTTPHeaders) {
        base = Result { () throws(InvalidRequest) in try BaseURL(baseURL) }
        self.headers = headers
    }
}
