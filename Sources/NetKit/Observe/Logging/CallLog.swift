/// Writes the reports of a call to a logger: a line each, with the number of the call in front.
struct CallLog: CallSubscriber {
    private let logger: any NetworkLogger

    init(_ logger: any NetworkLogger) {
        self.logger = logger
    }

    func receive(_ report: CallReport, of call: CallSummary) {
        let prefix = "[\(call.id)] \(call.requestType)"
        switch report {
        case .queued(let request): logger.log(.debug, "\(prefix) \(request): queued")
        case .attempt(let number): logger.log(.debug, "\(prefix) attempt \(number)")
        case .sending(let request): trace(prefix, ">") { ExchangeText.request(request) }
        case .started: logger.log(.debug, "\(prefix) started")
        case .sent: logger.log(.debug, "\(prefix) body sent")
        case .exchanged(let result, _, _, _):
            trace(prefix, "<") {
                switch result.outcome {
                case .response(let response): ExchangeText.response(response, to: result.request)
                case .failure(let failure): [failure.message]
                }
            }
        case .redirected(let status, let address):
            logger.log(
                .debug,
                "\(prefix) redirected by \(status.rawValue) to \(RedactedURL(address))"
            )
        case .credentialsLeftBehind(let names):
            let list = names.isEmpty ? "" : " (\(names.map(\.rawName).joined(separator: ", ")))"
            logger.log(.debug, "\(prefix) credentials left behind: other origin\(list)")
        case .refreshed(let recovery):
            logger.log(.debug, "\(prefix) sent again after authentication: \(recovery)")
        case .received(let status):
            logger.log(.debug, "\(prefix) received \(status)")
        case .attempted(_, let trace):
            let isRepeated =
                switch trace.next {
                case .retry, .retrier: true
                case .done, .stop: false
                }
            logger.log(isRepeated ? .warning : .debug, "\(prefix) \(LogText.plain("\(trace)"))")
        case .decoded: logger.log(.debug, "\(prefix) decoded")
        case .joined: break
        case .finished(let failure): finish(failure, call, prefix)
        }
    }

    private func trace(_ prefix: String, _ mark: String, _ parts: () -> [String]) {
        logger.log(.trace, "\(prefix) \(mark) \(LogText.plain(parts().joined(separator: " | ")))")
    }

    private func finish(_ failure: String?, _ call: CallSummary, _ prefix: String) {
        let milliseconds = Int((call.elapsed / .milliseconds(1)).rounded())
        let request = call.request.map { " \($0)" } ?? ""
        let attempts = call.attempts > 1 ? " in \(call.attempts) attempts" : ""
        let time = "\(attempts), \(milliseconds) ms"
        guard let failure else {
            let status = call.status.map { "\($0)" } ?? "done"
            return logger.log(.info, "\(prefix)\(request): \(status)\(time)")
        }
        let refusal = call.status.flatMap { $0.isSuccessful ? nil : "\($0)" }
        logger.log(.error, "\(prefix)\(request): \(refusal ?? LogText.plain(failure))\(time)")
    }
}
