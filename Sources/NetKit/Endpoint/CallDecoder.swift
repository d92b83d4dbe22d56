import Foundation

/// Decodes the results of one call.
///
/// A result that a retrier has seen isn't decoded again for debug handlers and the outcome.
final class CallDecoder<R: Request>: Sendable {
    typealias Failure = ErrorResponse<R.ErrorType>
    typealias Value = Result<R.ResponseObjectType, Failure>

    /// The endpoint's retriers, which see each failed attempt.
    let retriers: [any RequestRetrier]
    private let original: R
    /// The state shared by retriers and the outcome, or nil without retriers.
    private let state: Locked<CallDecoderState>?
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
        original = call.request
        endpoint = call.endpoint
        control = call.control
        retriers = endpoint.requestRetrying.all
        state = retriers.isEmpty ? nil : Locked(CallDecoderState())
        self.isDownload = isDownload
        self.isPolling = isPolling
    }

    /// The request as last sent.
    ///
    /// A retrier may have replaced the original.
    var request: R { state?.withLock { $0.request } as? R ?? original }

    /// Replaces the request for the attempts that follow.
    func replace(by request: R) {
        state?.withLock { $0.request = request }
    }

    /// Returns the cache policy of a request.
    ///
    /// A poll with the standard policy reloads.
    func cachePolicy(of request: R) -> CachePolicy {
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
        case .failure(let failure): return .failure(Failure(failure))
        case .response(let response):
            guard let state else { return decode(response, of: original) }
            let (request, last) = state.withLock { ($0.request as? R, $0.last) }
            // An interceptor around all attempts may have replaced the response that a retrier has seen.
            if let last, last.response.isSame(as: response), let value = last.value as? Value {
                return value
            }
            let value = decode(response, of: request ?? original)
            state.withLock { $0.last = (response, value) }
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
        // The body is in the file, so there is nothing to convert.
        do {
            return .success(try request.responseDecoding.decode(response, decoder))
        } catch {
            return .failure(.decoding(response, underlying: error))
        }
    }
}

/// The state shared by all readers of decoded results.
///
/// It isn't generic, so that its code is compiled only once.
private struct CallDecoderState {
    /// A retrier's replacement for the original request.
    var request: (any Request)?
    var last: (response: HTTPResponse, value: any Sendable)?
}
