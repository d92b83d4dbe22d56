import Foundation

// The plan, the retriers, and the subscribers of a call.

extension Call {
    /// Creates the plan for a request of this call.
    func plan(
        of request: R,
        to destination: CallPlan.Destination,
        _ decoder: CallDecoder<R>
    ) -> CallPlan {
        var onTransfer: TransferWatch?
        var onAttempt: (@Sendable (AttemptResult) -> Void)?
        if let observer {
            onAttempt = { debug($0, decoder.failure(of: $0)) }
            onTransfer = { count in
                guard observer.isWatchingTransfers, let count = count() else { return }
                observer.callDidTransfer(count)
            }
        }
        var replace: (@Sendable (AttemptResult, CallControl) async -> CallPlan.Replacement)?
        if !decoder.retriers.isEmpty {
            replace = { await replacement(of: $0, destination, decoder, $1) }
        }
        return CallPlan(
            request,
            to: destination,
            interceptors: isForeign ? [] : request.interceptors,
            cachePolicy: decoder.cachePolicy(of: request),
            onTransfer: onTransfer,
            onAttempt: onAttempt,
            replacement: replace
        )
    }

    /// Asks the retriers in order for a replacement of the failed request.
    private func replacement(
        of result: AttemptResult,
        _ destination: CallPlan.Destination,
        _ decoder: CallDecoder<R>,
        _ control: CallControl
    ) async -> CallPlan.Replacement {
        guard let error = decoder.failure(of: result) else { return .none }
        let request = decoder.request
        let replaced = await UserCode.run(control) { () -> (R, EncodedRequest)? in
            for retrier in decoder.retriers where retrier.canHandleError(error, for: request) {
                let next = await retrier.handleError(error, for: request, on: endpoint)
                guard let next else { continue }
                return (next, try encode(next, RequestTraits.of(next)))
            }
            return nil
        }
        switch replaced {
        case .success((let next, let encoded)?):
            decoder.replace(by: next)
            let plan = plan(of: next, to: destination, decoder)
            switch await prepare(encoded, control) {
            case .success(let prepared): return .request(prepared, plan)
            case .failure(let failure): return .failure(failure)
            }
        case .success(nil): return .none
        case .failure(let failure): return .failure(failure)
        }
    }

    /// Creates the call's reporter, or returns nil without subscribers.
    func reporter() -> CallReporter? {
        var subscribers = endpoint.observation.subscribers
        let snapshot = endpoint.settings
        if let logger = snapshot.values.logger {
            subscribers.append(CallLog(logger, warned: endpoint.warnedOrigins))
        }
        return CallReporter(R.self, subscribers, endpoint.clock)
    }

    /// Reports an attempt or a refused request to the operation's debug handlers.
    func debug(_ result: AttemptResult?, _ failure: Failure?) {
        guard let observer else { return }
        let trace = result?.history.last
        let duration = trace?.number == result?.attempt ? trace?.duration : nil
        observer.callDidAttempt(
            DebugInfo(
                sessionConfiguration: endpoint.sessionConfiguration,
                request: result?.request,
                response: result?.response,
                error: failure,
                duration: (duration ?? .zero) / .seconds(1),
                phases: result?.phases
            )
        )
    }
}
