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
        let traits = RequestTraits.of(request)
        if traits.isWrapping, let wrapping = request as? any RequestWrapping {
            return try encode(request, describedBy: wrapping.wrappedRequest, defaults)
        }
        return try encode(request, with: RequestParameters(of: request, traits), request, defaults)
    }

    private static func encode(
        _ request: some Request,
        describedBy described: some Request,
        _ defaults: EncodingDefaults
    ) throws(InvalidRequest) -> EncodedRequest {
        let parameters = try RequestParameters(of: described, RequestTraits.of(described))
        return try encode(request, with: parameters, described, defaults)
    }

    /// Encodes a request; its parameters and files are those of `described`.
    private static func encode(
        _ request: some Request,
        with parameters: RequestParameters,
        _ described: some Request,
        _ defaults: EncodingDefaults
    ) throws(InvalidRequest) -> EncodedRequest {
        let base = try defaults.base.get()

        let method = request.method
        guard method.isValidToken else { throw InvalidRequest(.invalidMethod(method.rawValue)) }
        let body = try parameters.body(of: described)
        if body != nil, method == .get || method == .head || method == .trace {
            throw InvalidRequest(.invalidMethod("\(method) with a body"))
        }
        let target = try TargetURL(
            base: base,
            path: try parameters.path(in: request.path),
            query: parameters.query.isEmpty
                ? request.queryParams : request.queryParams + parameters.query
        )
        var own = request.headers
        if let token = request.authToken { own.authToken = token }
        if !parameters.headers.isEmpty { own = own.merging(parameters.headers) }
        let headers = try HeaderRules.headers(
            accept: request.responseDecoding.accept,
            own: own,
            endpoint: defaults.headers,
            target: target,
            body: body
        )
        return EncodedRequest(url: target.url, method: method, headers: headers, body: body?.source)
    }
}
