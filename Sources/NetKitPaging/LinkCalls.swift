package import Foundation
package import NetKit

extension FollowUp {
    /// Creates a change that sends the same request to another URL.
    static func moved(to url: URL) -> FollowUp {
        FollowUp { request throws(InvalidRequest) in
            request.moved(to: url)
        }
    }

    /// Creates a change that follows a link with GET, without the body and its fields.
    ///
    /// - Parameters:
    ///   - url: The link.
    ///   - encoding: The endpoint's encoding defaults. Their query is added as it is to the first request.
    /// - Returns: The change.
    static func link(to url: URL, _ encoding: EncodingDefaults) -> FollowUp {
        FollowUp(dropsBody: true) { request throws(InvalidRequest) in
            let target = try TargetURL(
                base: try encoding.base.get(),
                path: url.absoluteString,
                query: TargetQuery(defaults: encoding.queryParams, params: [], items: [])
            )
            return request.withoutBody(at: target.url)
        }
    }

    /// Creates a change that follows a link to another origin with GET, without credentials.
    static func foreignLink(to url: URL) -> FollowUp {
        FollowUp(dropsBody: true) { request throws(InvalidRequest) in
            var next = request.withoutBody(at: url)
            next.removeCredentials()
            return next
        }
    }
}

extension EncodedRequest {
    /// Returns the request for another URL.
    ///
    /// Credentials are removed if the origin changes.
    fileprivate func moved(to url: URL) -> EncodedRequest {
        var next = self
        next.url = url
        if next.origin != origin { next.removeCredentials() }
        return next
    }

    fileprivate func withoutBody(at url: URL) -> EncodedRequest {
        var next = moved(to: url)
        next.method = .get
        next.removeBody()
        return next
    }
}

extension Request {
    /// Throws if the request is a download, because all responses would go to one file.
    func refuseDownload(to purpose: String) throws(ErrorResponse<ErrorType>) {
        guard RequestTraits.of(self).isDownload else { return }
        let feature = UnsupportedFeature("\(purpose) a download; ask first, then download")
        throw .transport(TransportError(.unsupported, underlying: feature))
    }
}

extension Endpoint {
    /// Creates the call that follows a link from a response.
    ///
    /// - Parameters:
    ///   - request: The request that led to the link.
    ///   - url: The link.
    ///   - isForeign: Whether to remove credentials and interceptors.
    /// - Returns: The call, which hasn't started.
    package func call<R: Request>(_ request: R, at url: URL, isForeign: Bool) -> Call<R> {
        guard isForeign else {
            return call(request, .link(to: url, settings.values.encoding))
        }
        var call = Endpoint(self, withoutCredentialsAt: url).call(request, .foreignLink(to: url))
        call.isForeign = true
        return call
    }

    /// Runs a call and registers it for ``cancelAllRequests()``.
    func run<R: Request>(
        _ call: Call<R>
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType> {
        register(call.control)
        defer { forget(call.control) }
        return try await call.run().get()
    }
}
