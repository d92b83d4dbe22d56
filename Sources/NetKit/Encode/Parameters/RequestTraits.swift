/// The cached properties of a request type, which are slow to determine.
package final class RequestTraits: Sendable {
    /// Whether the type has property wrappers as parameters.
    let hasParameters: Bool
    let isMultipart: Bool
    let isWrapping: Bool
    package let isDownload: Bool
    /// The reason why no request of this type can be sent, or nil.
    let refusal: InvalidRequest?
    /// Whether the type has stored properties with names that are written by mistake.
    let hasMisnamedProperties: Bool
    /// Whether the type declares its method as a text.
    let hasMethodText: Bool

    private init<R: Request>(of request: R) {
        hasParameters = !RequestParameters.all(of: request).isEmpty
        isMultipart = request is any MultipartFormDataRequest
        isWrapping = request is any ForwardingRequest
        isDownload = request is any FileDownloading
        refusal = MistypedProperty.all(in: request).first.map { InvalidRequest($0) }
        hasMisnamedProperties = !MistypedProperty.misnamed(in: request).isEmpty
        hasMethodText = R._Method.self == String.self
    }

    private static let known = Locked<[ObjectIdentifier: RequestTraits]>([:])

    /// Returns the traits of a request's dynamic type, which can be a subclass.
    package static func of<R: Request>(_ request: R) -> RequestTraits {
        let type = ObjectIdentifier(type(of: request))
        if let traits = known.withLock({ $0[type] }) { return traits }
        let traits = RequestTraits(of: request)
        known.withLock { $0[type] = traits }
        return traits
    }
}
