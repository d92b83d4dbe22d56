import Foundation

/// Decodes the results of one call.
struct CallDecoder<R: Request>: Sendable {
    typealias Failure = ErrorResponse<R.ErrorType>
    typealias Value = Result<R.ResponseObjectType, Failure>

    private let request: R
    private let endpoint: Endpoint
    private let control: CallControl
    private let isDownload: Bool
    private let isPolling: Bool

    /// Creates the decoder of a call.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isDownload: Whether the body goes to a file.
    ///   - isPolling: Whether a 202 response has no value yet. Defaults to `false`.
    init(of call: Call<R>, isDownload: Bool, isPolling: Bool = false) {
        request = call.request
        endpoint = call.endpoint
        control = call.control
        self.isDownload = isDownload
        self.isPolling = isPolling
    }

    /// The cache policy of the request.
    ///
    /// A poll with the standard policy reloads.
    var cachePolicy: CachePolicy {
        let policy = request.cachePolicy
        return isPolling && policy == .standard ? .reload : policy
    }

    /// Returns whether a result is a 202 response to a polling call.
    func isPending(_ result: AttemptResult) -> Bool {
        isPolling && result.response?.status == .accepted
    }

    /// Returns the error of a result, or nil for a success.
    func failure(of result: AttemptResult) -> Failure? {
        guard !isPending(result), case .failure(let failure) = value(of: result) else { return nil }
        return failure
    }

    /// Returns the value of a result, or the call's error.
    func value(of result: AttemptResult) -> Value {
        switch result.outcome {
        case .failure(let failure): .failure(Failure(failure))
        case .response(let response): decode(response)
        }
    }

    private func decode(_ response: HTTPResponse) -> Value {
        let snapshot = endpoint.settings
        let decoder =
            control.settings.decoder ?? request.decoder ?? snapshot.values.decoder
            ?? Endpoint.defaultDecoder
        guard isDownload, response.status.isSuccessful else {
            return ResponseInterpreter.interpret(response, of: request, decoder: decoder)
        }
        // The body is in the file, so there is nothing to convert.
        do {
            return .success(try request.responseDecoding.decode(response, decoder))
        } catch {
            return .failure(.decoding(response, underlying: error))
        }
    }
}
