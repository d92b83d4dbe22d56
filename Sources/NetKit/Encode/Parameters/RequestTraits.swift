/// What is known of a request's type once one request of it was seen: finding it out is slow.
package final class RequestTraits: Sendable {
    /// Whether it has parameters as property wrappers.
    let hasParameters: Bool
    let isMultipart: Bool
    let isWrapping: Bool
    let isDownload: Bool
    /// Why no request of the type can be sent.
    let refusal: InvalidRequest?

    private init(of request: some Request) {
        hasParameters = !RequestParameters.all(of: request).isEmpty
        isMultipart = request is any MultipartFormDataRequest
        isWrapping = request is any ForwardingRequest
        isDownload = request is any FileDownloading
        refusal = MistypedProperty.all(in: request).first.map { InvalidRequest($0) }
    }

    private static let known = Locked<[ObjectIdentifier: RequestTraits]>([:])

    /// The traits of a request's own type, which for a class may be a subclass.
    package static func of<R: Request>(_ request: R) -> RequestTraits {
        let type = ObjectIdentifier(type(of: request))
        if let traits = known.withLock({ $0[type] }) { return traits }
        let traits = RequestTraits(of: request)
        known.withLock { $0[type] = traits }
        return traits
    }
}
