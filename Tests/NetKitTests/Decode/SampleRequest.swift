import Foundation

@testable import NetKit

/// A request that has only what the last stage of a call reads.
struct SampleRequest<Value: Sendable, Failure: ServerError>: Request {
    typealias ResponseObjectType = Value
    typealias ErrorType = Failure

    let path = "path"
    var responseDecoding: ResponseDecoding<Value>
    var responseConverter: (any ResponseJSONConverter)?
    var errorConverter: (any ResponseJSONConverter)?

    /// What the response means to this request.
    func interpreted(
        _ response: HTTPResponse,
        decoder: JSONDecoder = JSONDecoder()
    ) -> Result<Value, ErrorResponse<Failure>> {
        Result { () throws(ErrorResponse<Failure>) in
            try ResponseInterpreter.interpret(response, of: self, decoder: decoder)
        }
    }
}

extension SampleRequest where Value: Decodable, Failure == ServerMessage {
    init(_ type: Value.Type, converter: (any ResponseJSONConverter)? = nil) {
        self.init(responseDecoding: .automatic, responseConverter: converter)
    }
}

extension SampleRequest where Value == Void {
    init(failure: Failure.Type, converter: (any ResponseJSONConverter)? = nil) {
        self.init(responseDecoding: .empty, errorConverter: converter)
    }
}

/// A user of the samples.
struct SampleUser: Codable, Hashable, Sendable {
    let id: Int
}

/// A server error that is decoded.
struct SampleError: ServerError, Decodable, Equatable {
    let message: String
    let code: Int
}

/// A failure of a test's own code.
struct SampleFailure: Error, Equatable {}
