import Foundation
import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request taken apart: what each of its parameters contributes, and what could not.
struct LintedRequest {
    /// One parameter and what became of it.
    struct Parameter {
        /// How the parameter is written: `@Path`.
        let wrapper: String
        /// What it contributes, alone; nil if it cannot.
        let contribution: RequestParameters?
        /// Why it cannot.
        let refusal: InvalidRequest?
        /// Whether its value was never set, or is nil where a value is needed.
        let isUnset: Bool
    }

    let request: any Request
    let endpoint: Endpoint?
    let parameters: [Parameter]
    let isMultipart: Bool
    /// Properties whose types are not quite the request's.
    let mistypedProperties: [MistypedProperty]

    init(_ request: any Request, on endpoint: Endpoint?) {
        self.request = request
        self.endpoint = endpoint
        let innermost = RequestEncoder.innermost(of: request)
        isMultipart = innermost is any MultipartFormDataRequest
        mistypedProperties = MistypedProperty.all(in: innermost)
        parameters = RequestParameters.all(of: innermost).map { Parameter($0) }
    }

    /// The contributions of the parameters that have one, with how each is written.
    var contributions: [(wrapper: String, values: RequestParameters)] {
        parameters.compactMap { parameter in
            parameter.contribution.map { (parameter.wrapper, $0) }
        }
    }

    /// The request as it would be sent; where nothing is known of an endpoint, to a made-up one.
    ///
    /// - Throws: ``InvalidRequest`` if it would not be.
    func encoded() throws(InvalidRequest) -> URLRequest {
        try encode(request)
    }

    /// Encodes a request for the endpoint, or for a made-up one.
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
    init(_ parameter: any RequestParameter) {
        let name = "\(type(of: parameter))".prefix { $0 != "<" }
        wrapper = "@\(name)"
        do throws(InvalidRequest) {
            let blank = LintedRequest.Blank()
            var alone = try RequestParameters(of: blank, RequestTraits.of(blank))
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

    /// Whether a value was set that is not nil.
    private static func hasValue(_ parameter: any RequestParameter) -> Bool {
        var value = Mirror(reflecting: parameter).descendant("storage", "stored")
        while let some = value {
            let mirror = Mirror(reflecting: some)
            guard mirror.displayStyle == .optional else { return true }
            value = mirror.children.first?.value
        }
        return false
    }

    /// The parameter's name as its refusal gives it; empty for one without.
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

    /// A request to try one part of another one with.
    typealias Probe = DefaultRequest<Void, ServerMessage>
}
