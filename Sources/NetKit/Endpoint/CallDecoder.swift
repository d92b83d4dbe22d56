import Foundation

/// Decodes the results of one call.
///
/// What a retrier was shown is not decoded again for the debug handlers and the outcome.
final class CallDecoder<R: Request>: Sendable {
    typealias Failure = ErrorResponse<R.ErrorType>
    typealias Value = Result<R.ResponseObjectType, Failure>

    /// The endpoint's retriers, which hear of each failed attempt.
    let retriers: [any RequestRetrier]
    private let original: R
    /// What retriers and the outcome share; nil without retriers.
    private let state: Locked<CallDecoderState>?
    private let endpoint: Endpoint
    private let control: CallControl
    private let isDownload: Bool
    private let isPolling: Bool

    /// Creates the decoder of a call.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isDownload: Whether the value is a file.
    ///   - isPolling: Whether a 202 has no value yet.
    init(of call: Call<R>, isDownload: Bool, isPolling: Bool = false) {
        original = call.request
        endpoint = call.endpoint
        control = call.control
        retriers = endpoint.requestRetrying.all
        state = retriers.isEmpty ? nil : Locked(CallDecoderState())
        self.isDownload = isDownload
        self.isPolling = isPolling
    }

    /// The request as it was last sent; a retrier may have replaced it.
    var request: R { state?.withLock { $0.request } as? R ?? original }

    /// Notes the request that is sent from now on.
    func replace(by request: R) {
        state?.withLock { $0.request = request }
    }

    /// How a request uses the cache: a poll asks for what is new.
    func cachePolicy(of request: R) -> CachePolicy {
        let policy = request.cachePolicy
        return isPolling && policy == .standard ? .reload : policy
    }

    /// Whether a result is a 202 of a call that polls: there is nothing to decode yet.
    func isPending(_ result: AttemptResult) -> Bool {
        isPolling && result.response?.status == .accepted
    }

    /// The error of a result; nil for a success.
    func failure(of result: AttemptResult) -> Failure? {
        guard !isPending(result), case .failure(let failure) = value(of: result) else { return nil }
        return failure
    }

    /// The value of a result, or the call's error.
    func value(of result: AttemptResult) -> Value {
        switch result.outcome {
        case .failure(let failure): return .failure(Failure(failure))
        case .response(let response):
            guard let state else { return decode(response, of: original) }
            let (request, last) = state.withLock { ($0.request as? R, $0.last) }
            if let last, last.attempt == result.attempt, last.cacheOutcome == result.cacheOutcome,
                let value = last.value as? Value
            {
                return value
            }
            let value = decode(response, of: request ?? original)
            state.withLock { $0.last = (result.attempt, result.cacheOutcome, value) }
            return value
        }
    }

    private func decode(_ response: HTTPResponse, of request: R) -> Value {
        let snapshot = endpoint.settings
        let decoder =
            control.settings.decoder ?? request.decoder ?? snapshot.values.decoder
            ?? Endpoint.defaultDecoder
        guard isDownload, response.status.isSuccessful else {
            return ResponseInterpreter.interpret(response, of: request, decoder: decoder)
        }
        // The body is in the file, so that there is nothing to convert.
        do {
            return .success(try request.responseDecoding.decode(response, decoder))
        } catch {
            return .failure(.decoding(response, underlying: error))
        }
    }
}

/// What those share who ask for decoded results; the same for requests of every type, so that its code is compiled once.
private struct CallDecoderState {
    /// The request that a retrier sends instead of the call's own.
    var request: (any Request)?
    var last: (attempt: Int, cacheOutcome: CacheOutcome, value: any Sendable)?
}
