/// Writes the events of one call to a logger: a line each, with the call's number in front.
struct CallLog: Sendable {
    let logger: any NetworkLogger
    /// The call's number and the request's type.
    let prefix: String

    /// Writes down an event.
    func callAsFunction(
        _ event: CallEvent,
        _ summary: CallSummary,
        after duration: Duration
    ) {
        switch event.kind {
        case .queued(let request):
            logger.log(.debug, "\(prefix) \(request): queued")
        case .attempt(let number):
            logger.log(.debug, "\(prefix) attempt \(number)")
        case .started: logger.log(.debug, "\(prefix) started")
        case .sent: logger.log(.debug, "\(prefix) body sent")
        case .redirected(let status, let address):
            logger.log(.debug, "\(prefix) redirected by \(status.rawValue) to \(address)")
        case .credentialsLeftBehind(let names):
            let list = names.isEmpty ? "" : " (\(names.map(\.rawName).joined(separator: ", ")))"
            logger.log(.debug, "\(prefix) credentials left behind: other origin\(list)")
        case .refreshed(let recovery):
            logger.log(.debug, "\(prefix) sent again after authentication: \(recovery)")
        case .received(let status):
            logger.log(.debug, "\(prefix) received \(status)")
        case .decided(let trace):
            let isRepeated =
                switch trace.next {
                case .retry, .retrier: true
                case .done, .stop: false
                }
            logger.log(isRepeated ? .warning : .debug, "\(prefix) \(LogText.plain("\(trace)"))")
        case .decoded: logger.log(.debug, "\(prefix) decoded")
        case .finished(let failure): finish(failure, summary, after: duration)
        }
    }

    /// Writes down a request, in one line.
    func sending(_ request: EncodedRequest) {
        write(">", ExchangeText.request(request))
    }

    /// Writes down what came back, in one line.
    func callAsFunction(_ exchange: ObservedExchange) {
        write(
            "<",
            exchange.response.map { ExchangeText.response($0, to: exchange.request) }
                ?? [exchange.failure ?? "nothing"]
        )
    }

    private func write(_ mark: String, _ parts: @autoclosure () -> [String]) {
        logger.log(.trace, "\(prefix) \(mark) \(LogText.plain(parts().joined(separator: " | ")))")
    }

    private func finish(_ failure: String?, _ summary: CallSummary, after duration: Duration) {
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        let request = summary.request.isEmpty ? "" : " \(summary.request)"
        let attempts = summary.attempts > 1 ? " in \(summary.attempts) attempts" : ""
        let time = "\(attempts), \(milliseconds) ms"
        guard let failure else {
            let status = summary.status.map { "\($0)" } ?? "done"
            return logger.log(.info, "\(prefix)\(request): \(status)\(time)")
        }
        let refusal = summary.status.flatMap { $0.isSuccessful ? nil : "\($0)" }
        logger.log(.error, "\(prefix)\(request): \(refusal ?? LogText.plain(failure))\(time)")
    }
}
