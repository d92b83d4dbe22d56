import Foundation

/// Decodes the results of one call, each attempt's once for retriers, debug handlers and the outcome.
final class CallDecoder<R: Request>: Sendable {
    typealias Failure = ErrorResponse<R.ErrorType>
    typealias Value = Result<R.ResponseObjectType, Failure>

    private struct State {
        var request: R
        var last: (attempt: Int, value: Value)?
    }

    private let state: Locked<State>
    private let endpoint: Endpoint
    private let control: CallControl
    private let isDownload: Bool
    private let isPolling: Bool

    init(
        _ request: R,
        on endpoint: Endpoint,
        _ control: CallControl,
        isDownload: Bool,
        isPolling: Bool = false
    ) {
        state = Locked(State(request: request))
        self.endpoint = endpoint
        self.control = control
        self.isDownload = isDownload
        self.isPolling = isPolling
    }

    /// The request as it was last sent; a retrier may have replaced it.
    var request: R {
        get { state.withLock { $0.request } }
        set { state.withLock { $0.request = newValue } }
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
            let (request, last) = state.withLock { ($0.request, $0.last) }
            if let last, last.attempt == result.attempt { return last.value }
            let value = decode(response, of: request)
            state.withLock { $0.last = (result.attempt, value) }
            return value
        }
    }

    private func decode(_ response: HTTPResponse, of request: R) -> Value {
        let decoder =
            control.settings.decoder ?? request.decoder ?? endpoint.settings.values.decoder
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
