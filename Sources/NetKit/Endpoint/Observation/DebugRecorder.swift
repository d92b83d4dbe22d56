#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// Makes the ``DebugInfo`` of each attempt for the handlers of an operation.
struct DebugRecorder: CallSubscriber {
    let takesAttemptsOnly = true
    private let observer: any CallObserver
    private let configuration: URLSessionConfiguration
    /// Decodes the error of an attempt; nil for one that succeeded.
    private let error: @Sendable (AttemptResult) -> (any Error)?

    init(
        _ observer: any CallObserver,
        _ configuration: URLSessionConfiguration,
        error: @escaping @Sendable (AttemptResult) -> (any Error)?
    ) {
        self.observer = observer
        self.configuration = configuration
        self.error = error
    }

    func receive(_ report: CallReport, of call: CallSummary) {
        guard case .attempted(let result, let trace) = report else { return }
        observer.callDidAttempt(
            DebugInfo(
                sessionConfiguration: configuration,
                request: result.request,
                response: result.response,
                error: error(result),
                duration: trace.duration / .seconds(1),
                phases: result.phases
            )
        )
    }
}
