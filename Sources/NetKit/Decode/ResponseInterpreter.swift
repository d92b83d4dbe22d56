package import Foundation

/// The last stage of a call: a response becomes the value or the error.
package enum ResponseInterpreter {
    /// What a response means to the request that it answers.
    ///
    /// - Parameters:
    ///   - response: The response, after redirects and retries.
    ///   - request: The request.
    ///   - decoder: The decoder to use: the operation's, the request's, the endpoint's or the default.
    /// - Returns: The value of a 2xx response. Every failure carries the response as it came.
    package static func interpret<R: Request>(
        _ response: HTTPResponse,
        of request: R,
        decoder: JSONDecoder
    ) -> Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>> {
        guard response.status.isSuccessful else {
            return .failure(failure(response, of: request, decoder: decoder))
        }
        do {
            let decoding = request.responseDecoding
            let converter = decoding.readsBody ? request.responseConverter : nil
            return .success(
                try convert(response, by: converter) { converted in
                    try decoding.decode(converted, decoder)
                }
            )
        } catch {
            return .failure(.decoding(response, underlying: error))
        }
    }

    private static func failure<R: Request>(
        _ response: HTTPResponse,
        of request: R,
        decoder: JSONDecoder
    ) -> ErrorResponse<R.ErrorType> {
        do {
            let error = try convert(response, by: request.errorConverter) { converted in
                try R.ErrorType.decode(from: converted, using: decoder)
            }
            return .server(error, response)
        } catch {
            return .undecodableServerError(response, underlying: error)
        }
    }

    /// Decodes what `converter` makes of the response; an empty body is not converted.
    private static func convert<Value>(
        _ response: HTTPResponse,
        by converter: (any ResponseJSONConverter)?,
        _ decode: (HTTPResponse) throws -> Value
    ) throws -> Value {
        guard let converter, !response.hasNoContent else { return try decode(response) }
        guard let slicing = converter as? any SlicingConverter else {
            return try decode(response.replacingBody(withJSON: json(response.body, by: converter)))
        }
        do {
            return try decode(response.replacingBody(withJSON: slicing.slice(of: response.body)))
        } catch let failure as DecodingFailure {
            throw failure.below(slicing.path)
        }
    }

    private static func json(
        _ body: Data,
        by converter: any ResponseJSONConverter
    ) throws -> Data {
        let parsed: Any
        do throws(JSONSyntaxError) {
            parsed = try JSONText.any(of: body)
        } catch {
            throw ConversionFailure(.malformedJSON(error.description))
        }
        let converted = try converter.convertedJSON(from: parsed)
        do throws(InvalidRequest) {
            return try JSONWriter.data(fromAny: converted)
        } catch {
            guard case .unencodableBody(let keyPath) = error.reason else { throw error }
            throw ConversionFailure(.resultIsNotJSON(keyPath: keyPath))
        }
    }
}
