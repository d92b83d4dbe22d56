package import Foundation

/// An encoder that turns a ``Request`` into an ``EncodedRequest``.
///
/// It has no side effects, but reads the sizes of files.
package enum RequestEncoder {
    /// Encodes a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - defaults: The endpoint's defaults.
    /// - Returns: The encoded request.
    /// - Throws: ``InvalidRequest`` if the request can't be sent.
    package static func encode<R: Request>(
        _ request: R,
        defaults: EncodingDefaults
    ) throws(InvalidRequest) -> EncodedRequest {
        try encode(request, RequestTraits.of(request), defaults: defaults)
    }

    /// Encodes a request with known traits.
    static func encode<R: Request>(
        _ request: R,
        _ traits: RequestTraits,
        defaults: EncodingDefaults,
        withBody: Bool = true
    ) throws(InvalidRequest) -> EncodedRequest {
        guard traits.isWrapping else {
            let method = traits.hasMethodText ? request.ownMethod : request.method
            return try encode(request, method, around: request, traits, defaults, withBody)
        }
        var innermost: any Request = request
        while let wrapping = innermost as? any ForwardingRequest {
            if let refusal = RequestTraits.of(wrapping).refusal { throw refusal }
            innermost = wrapping.wrappedRequest
        }
        let inner = RequestTraits.of(innermost)
        return try encode(request, request.ownMethod, around: innermost, inner, defaults, withBody)
    }

    /// Returns the innermost wrapped request.
    package static func innermost(of request: some Request) -> any Request {
        guard let wrapping = request as? any ForwardingRequest else { return request }
        return innermost(of: wrapping.wrappedRequest)
    }

    /// Encodes a request, with the parameters and files of `innermost`.
    private static func encode(
        _ request: some Request,
        _ method: HTTPMethod,
        around innermost: some Request,
        _ traits: RequestTraits,
        _ defaults: EncodingDefaults,
        _ withBody: Bool
    ) throws(InvalidRequest) -> EncodedRequest {
        if let refusal = traits.refusal { throw refusal }
        if traits.hasMisnamedProperties, let ignored = MistypedProperty.ignored(in: innermost) {
            throw InvalidRequest(ignored)
        }
        let base = try defaults.base.get()
        let parameters = try RequestParameters(of: innermost, traits, method: method)
        guard method.isValidToken else { throw InvalidRequest(.invalidMethod(method.rawValue)) }
        let body = withBody ? try parameters.body(of: request, around: innermost) : nil
        if body != nil, !method.allowsBody { throw InvalidRequest(bodyNotAllowedBy: method) }
        let path = request.path
        let target = try TargetURL(
            base: base,
            path: try parameters.path(in: path, strictly: defaults.escapesPathValuesStrictly),
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
        if !parameters.path.isEmpty { encoded.pathTemplate = path }
        return encoded
    }
}

/// The defaults that an endpoint applies to each request.
package struct EncodingDefaults: Sendable {
    /// The parsed base URL, or the reason why it can't be used.
    package let base: Result<BaseURL, InvalidRequest>
    /// The header fields of every request that doesn't override them.
    package var headers: HTTPHeaders
    /// The query parameters of every request that doesn't use their names.
    package var queryParams: [(String, String)] = []
    /// Whether only unreserved characters stay as they are in the values of path parameters.
    var escapesPathValuesStrictly = false
    /// The redaction of the requests.
    package var redaction = Redaction.secrets

    /// Creates defaults from a base URL.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL, which paths are appended to. If it is invalid, every request fails.
    ///   - headers: The header fields of every request.
    package init(baseURL: URL, headers: HTTPHeaders) {
        base = Result { () throws(InvalidRequest) in try BaseURL(baseURL) }
        self.headers = headers
    }
}
