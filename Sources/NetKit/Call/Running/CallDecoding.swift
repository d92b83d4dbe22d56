import Foundation

// The value of a call.

extension Call {
    /// The cache policy of the request.
    ///
    /// A poll with the standard policy reloads.
    var cachePolicy: CachePolicy {
        let policy = request.cachePolicy
        return isPolling && policy == .standard ? .reload : policy
    }

    /// Returns the error of a result, or nil for a success and for a poll that goes on.
    func failure(of result: AttemptResult) -> Failure? {
        switch result.outcome {
        case .failure(let failure): return Failure(failure)
        case .response(let response):
            guard !isPolling || response.status != .accepted else { return nil }
            do throws(Failure) {
                _ = try value(of: response)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Decodes a response.
    func value(of response: HTTPResponse) throws(Failure) -> Value {
        let snapshot = endpoint.settings
        let decoder =
            control.settings.decoder ?? request.decoder ?? snapshot.values.decoder
            ?? Endpoint.defaultDecoder
        guard traits.isDownload, response.status.isSuccessful else {
            return try ResponseInterpreter.interpret(response, of: request, decoder: decoder)
        }
        // The body is in the file, so there is nothing to convert.
        do {
            return try request.responseDecoding.decode(response, decoder)
        } catch {
            throw .decoding(response, underlying: error)
        }
    }
}
