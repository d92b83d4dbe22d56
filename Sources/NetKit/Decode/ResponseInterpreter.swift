package import Foundation
import NetKitSupport

/// The last stage of a call, which turns a response into its result.
package enum ResponseInterpreter {
    /// Decodes the response to a request.
    ///
    /// - Parameters:
    ///   - response: The response, after redirects and retries.
    ///   - request: The request.
    ///   - decoder: The decoder of the operation, the request, or the endpoint, or the default one.
    /// - Returns: The value of a 2xx response.
    /// - Throws: The call's error, with the original response.
    package static func interpret<R: Request>(
        _ response: HTTPResponse,
        of request: R,
        decoder: JSONDecoder
    ) throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        guard response.status.isSuccessful else {
            throw failure(response, of: request, decoder: decoder)
        }
        do {
            let decoding = request.responseDecoding
            let converter = decoding.readsBody ? request.ownResponseConverter : nil
            return try convert(response, by: converter) { converted in
                try decoding.decode(converted, decoder)
            }
        } catch let error as R.ErrorType {
            // A decoding that finds the failure in a 2xx response.
            throw .server(error, response)
        } catch {
            throw .decoding(response, underlying: named(error, of: response))
        }
    }

    /// Returns the error, which says what a body is that isn't JSON.
    private static func named(_ error: any Error, of response: HTTPResponse) -> any Error {
        (error as? any NamesForeignBody)?.naming(response) ?? error
    }

    private static func failure<R: Request>(
        _ response: HTTPResponse,
        of request: R,
        decoder: JSONDecoder
    ) -> ErrorResponse<R.ErrorType> {
        do {
            let error = try convert(response, by: request.ownErrorConverter) { converted in
                try R.ErrorType.decode(from: converted, using: decoder)
            }
            return .server(error, response)
        } catch {
            return .undecodableServerError(response, underlying: named(error, of: response))
        }
    }

    /// Converts and decodes the response.
    ///
    /// An empty body isn't converted.
    private static func convert<Value>(
        _ response: HTTPResponse,
        by converter: (any ResponseJSONConverter)?,
        _ decode: (HTTPResponse) throws -> Value
    ) throws -> Value {
        guard let converter, !response.hasNoContent else { return try decode(response) }
        guard let path = (converter as? KeyPathResponseConverter)?.path else {
            return try decode(response.replacingBody(withJSON: json(response.body, by: converter)))
        }
        do {
            // Selects the part of the text without parsing it twice.
            let part = try JSONText.slice(of: response.body, at: path)
            return try decode(response.replacingBody(withJSON: part))
        } catch let failure as DecodingFailure {
            throw failure.below(path)
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
