import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request's parts: the contribution of each parameter, and the parameters that failed.
struct LintedRequest {
    /// A parameter and its contribution.
    struct Parameter {
        /// The parameter's wrapper: `@Path`.
        let wrapper: String
        /// The parameter's contribution on its own; nil if it failed.
        let contribution: RequestParameters?
        /// The error of a parameter that failed.
        let refusal: InvalidRequest?
        /// Whether the value was never set, or is nil where a value is required.
        let isUnset: Bool
    }

    let request: any Request
    let endpoint: Endpoint?
    let parameters: [Parameter]
    let isMultipart: Bool
    /// Properties whose types differ from the request's requirements.
    let mistypedProperties: [MistypedProperty]

    init(_ request: any Request, on endpoint: Endpoint?) {
        self.request = request
        self.endpoint = endpoint
        let innermost = RequestEncoder.innermost(of: request)
        isMultipart = innermost is any MultipartFormDataRequest
        mistypedProperties =
            MistypedProperty.all(in: innermost)
            + [MistypedProperty.ignored(in: innermost)].compactMap { $0 }
        parameters = RequestParameters.all(of: innermost)
            .map { Parameter($0, method: request.ownMethod) }
    }

    /// The contributions of the parameters that succeeded, with their wrappers.
    var contributions: [(wrapper: String, values: RequestParameters)] {
        parameters.compactMap { parameter in
            parameter.contribution.map { (parameter.wrapper, $0) }
        }
    }

    /// Returns the encoded request; without an endpoint, for a placeholder one.
    ///
    /// - Throws: ``InvalidRequest`` if the request can't be sent.
    func encoded() throws(InvalidRequest) -> URLRequest {
        try encode(request)
    }

    /// Encodes a request for the endpoint, or for a placeholder one.
    func encode(_ request: some Request) throws(InvalidRequest) -> URLRequest {
        guard let endpoint else { return try Self.encodeAlone(request) }
        return try endpoint.urlRequest(for: request)
    }

    /// Encodes a request for an endpoint that contributes nothing.
    static func encodeAlone(_ request: some Request) throws(InvalidRequest) -> URLRequest {
        guard let base = URL(string: "https://endpoint.invalid") else {
            throw InvalidRequest(.missingEndpoint)
        }
        let defaults = EncodingDefaults(baseURL: base, headers: [:])
        return try RequestEncoder.encode(request, defaults: defaults).urlRequest
    }
}

extension LintedRequest.Parameter {
    init(_ parameter: any RequestParameter, method: HTTPMethod) {
        let name = "\(type(of: parameter))".prefix { $0 != "<" }
        wrapper = "@\(name)"
        do throws(InvalidRequest) {
            let blank = LintedRequest.Blank()
            var alone = try RequestParameters(
                of: blank,
                RequestTraits.of(blank),
                method: method
            )
            try parameter.contribute(to: &alone)
            contribution = alone
            refusal = nil
            isUnset = false
        } catch {
            contribution = nil
            refusal = error
            isUnset = !Self.hasValue(parameter)
        }
    }

    /// Whether a value other than nil was set.
    private static func hasValue(_ parameter: any RequestParameter) -> Bool {
        let storage = Mirror(reflecting: parameter).descendant("storage")
        var value = (storage as? any StoredParameter)?.storedValue
        while let some = value {
            let mirror = Mirror(reflecting: some)
            guard mirror.displayStyle == .optional else { return true }
            value = mirror.children.first?.value
        }
        return false
    }

    /// The parameter's name in its error; empty if the error has none.
    var refusedName: String {
        switch refusal?.reason {
        case .missingPathParameter(let name), .unsafePathParameter(let name),
            .unsetParameter(let name), .unencodableParameter(let name), .unencodableBody(let name),
            .invalidHeader(let name):
            name
        default: ""
        }
    }
}

extension LintedRequest {
    /// A request that contributes nothing.
    struct Blank: Request {
        typealias ResponseObjectType = Void
        let path = ""
    }

    /// A request for testing one part of another request.
    typealias Probe = DefaultRequest<Void, ServerMessage>
}
