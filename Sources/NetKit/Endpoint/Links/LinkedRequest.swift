import Foundation

/// A GET of an address that a response to another request gave.
///
/// It is the other request but for the path, query and body and the fields that describe the body.
struct LinkedRequest<Base: Request>: ForwardingRequest {
    typealias ResponseObjectType = Base.ResponseObjectType
    typealias ErrorType = Base.ErrorType

    let base: Base
    let address: URL
    let headers: HTTPHeaders
    /// The other request's; none abroad, as they may add what is secret.
    let interceptors: [any Interceptor]

    var path: String { address.absoluteString }
    var method: HTTPMethod { .get }
    var queryParams: [(String, String)] { [] }
    var queryItems: [QueryItem] { [] }
    var body: RequestBody? { nil }
    /// It is among the header fields.
    var authToken: AuthToken? { nil }

    /// Makes the request.
    ///
    /// - Parameters:
    ///   - base: The other request.
    ///   - address: What is asked for.
    ///   - endpoint: The endpoint of both.
    ///   - isAbroad: Whether credentials stay behind.
    /// - Throws: ``InvalidRequest`` for a parameter of the other request that has no text.
    init(
        _ base: Base,
        at address: URL,
        on endpoint: Endpoint,
        isAbroad: Bool
    ) throws(InvalidRequest) {
        self.base = base
        self.address = address
        let innermost = RequestEncoder.innermost(of: base)
        var headers = base.headers
        if let token = base.authToken { headers.authToken = token }
        headers = headers.merging(try Self.parameters(of: innermost).headers)
        for name in RedirectRules.contentFields { headers.remove(name) }
        if isAbroad {
            let redaction = endpoint.redaction.adding(base.redaction)
            headers = headers.withoutCredentials(hiding: redaction.headers)
            headers.remove(.host)
        }
        self.headers = headers
        interceptors = isAbroad ? [] : base.interceptors
    }

    private static func parameters(
        of request: some Request
    ) throws(InvalidRequest) -> RequestParameters {
        try RequestParameters(of: request, RequestTraits.of(request))
    }
}

extension Endpoint {
    /// Sends a request to an address that a response gave.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - isAbroad: Whether nothing of the endpoint goes along that may be secret.
    /// - Returns: The response.
    /// - Throws: The call's one error.
    func response<Base: Request>(
        for request: LinkedRequest<Base>,
        isAbroad: Bool
    ) async throws(ErrorResponse<Base.ErrorType>) -> Response<Base.ResponseObjectType> {
        guard isAbroad else { return try await response(for: request) }
        let bare = Endpoint(self, withoutCredentialsAt: request.address)
        let control = CallControl(clock: clock)
        // It is among the calls of this endpoint, whose `cancelAllRequests()` is to end it.
        register(control)
        defer { forget(control) }
        return try await bare.perform(request, control: control, observer: nil).get()
    }
}

extension Request {
    /// Refuses a download, whose responses would all go to one file.
    func refuseDownload(to purpose: String) throws(ErrorResponse<ErrorType>) {
        guard RequestTraits.of(self).isDownload else { return }
        let feature = UnsupportedFeature("\(purpose) a download; ask first, then download")
        throw .transport(TransportError(.unsupported, underlying: feature))
    }

    /// The request as `endpoint` would send it now.
    func encoded(
        on endpoint: Endpoint
    ) throws(ErrorResponse<ErrorType>) -> EncodedRequest {
        do throws(InvalidRequest) {
            return try RequestEncoder.encode(self, defaults: endpoint.settings.values.encoding)
        } catch {
            throw .invalidRequest(error)
        }
    }
}
