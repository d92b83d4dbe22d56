import Foundation

/// A request whose response may be a 202 instead of the value; it is given as it is.
struct PolledRequest<Base: Request>: ForwardingRequest, RequestWrapping {
    typealias ResponseObjectType = HTTPResponse
    typealias ErrorType = Base.ErrorType

    let base: Base

    /// The value is converted once it is there.
    var responseConverter: (any ResponseJSONConverter)? { nil }
    /// The response; the Accept field is the base's.
    var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding(accept: base.responseDecoding.accept, readsBody: true) { response, _ in
            response
        }
    }
    var wrappedRequest: any Request { base }
}
