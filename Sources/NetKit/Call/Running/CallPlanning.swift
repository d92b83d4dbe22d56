import Foundation

// The plan and the subscribers of a call.

extension Call {
    /// Creates the plan of this call.
    func plan(to destination: CallPlan.Destination) -> CallPlan {
        var onTransfer: TransferWatch?
        var onAttempt: (@Sendable (AttemptResult) -> Void)?
        if let observer {
            if observer.isWatchingAttempts { onAttempt = { debug($0, failure(of: $0)) } }
            onTransfer = { count in
                guard observer.isWatchingTransfers, let count = count() else { return }
                observer.callDidTransfer(count)
            }
        }
        return CallPlan(
            request,
            to: destination,
            interceptors: isForeign ? [] : request.interceptors,
            cachePolicy: cachePolicy,
            onTransfer: onTransfer,
            onAttempt: onAttempt
        )
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

    /// Reports a refused request to the operation's debug handlers.
    func refused(_ error: InvalidRequest) {
        if observer != nil { debug(nil, .invalidRequest(error)) }
    }

    /// Reports an attempt or a refused request to the operation's debug handlers.
    func debug(_ result: AttemptResult?, _ failure: Failure?) {
        guard let observer, observer.isWatchingAttempts else { return }
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
