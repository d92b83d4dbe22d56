import Foundation

/// Changes the encoded request of a call, for the URL that an earlier response gave.
struct FollowUp: Sendable {
    private let change: @Sendable (EncodedRequest) throws(InvalidRequest) -> EncodedRequest
    /// Whether the body stays behind, so that it need not be encoded.
    let dropsBody: Bool

    init(
        dropsBody: Bool = false,
        _ change: @escaping @Sendable (EncodedRequest) throws(InvalidRequest) -> EncodedRequest
    ) {
        self.dropsBody = dropsBody
        self.change = change
    }

    /// The same request at another URL.
    static func moved(to url: URL) -> FollowUp {
        FollowUp { request throws(InvalidRequest) in
            request.moved(to: url)
        }
    }

    /// A GET of a link: the request without its body and the fields that describe it.
    ///
    /// - Parameters:
    ///   - url: The link.
    ///   - encoding: What the endpoint adds: its query goes along, as with the first request.
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

    /// A GET of a link at another origin, without credentials.
    static func foreignLink(to url: URL) -> FollowUp {
        FollowUp(dropsBody: true) { request throws(InvalidRequest) in
            var next = request.withoutBody(at: url)
            next.removeCredentials()
            return next
        }
    }

    func callAsFunction(_ request: EncodedRequest) throws(InvalidRequest) -> EncodedRequest {
        try change(request)
    }
}

extension EncodedRequest {
    /// The request at another URL; what was meant for its own origin stays there.
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
    /// Refuses a download, whose responses would all go to one file.
    func refuseDownload(to purpose: String) throws(ErrorResponse<ErrorType>) {
        guard RequestTraits.of(self).isDownload else { return }
        let feature = UnsupportedFeature("\(purpose) a download; ask first, then download")
        throw .transport(TransportError(.unsupported, underlying: feature))
    }
}

extension Endpoint {
    /// The call of a request, or of what follows it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - followUp: What changes of it; nil for the request itself.
    /// - Returns: The call, which has not begun.
    func call<R: Request>(_ request: R, _ followUp: FollowUp? = nil) -> Call<R> {
        var call = Call(request: request, endpoint: self, control: CallControl(clock: clock))
        call.followUp = followUp
        return call
    }

    /// The call of a link that a response gave.
    ///
    /// - Parameters:
    ///   - request: The request that the link belongs to.
    ///   - url: The link.
    ///   - isForeign: Whether credentials stay behind, and with them interceptors and retriers.
    /// - Returns: The call, which has not begun.
    func call<R: Request>(_ request: R, at url: URL, isForeign: Bool) -> Call<R> {
        guard isForeign else {
            return call(request, .link(to: url, settings.values.encoding))
        }
        var call = Endpoint(self, withoutCredentialsAt: url).call(request, .foreignLink(to: url))
        call.isForeign = true
        return call
    }

    /// Runs a call among those that ``cancelAllRequests()`` cancels.
    func run<R: Request>(
        _ call: Call<R>
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType> {
        register(call.control)
        defer { forget(call.control) }
        return try await call.run().get()
    }
}
