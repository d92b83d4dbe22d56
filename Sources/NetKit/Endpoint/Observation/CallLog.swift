/// Writes the events of one call to a logger: a line each, with the call's number in front.
struct CallLog: Sendable {
    let logger: any NetworkLogger
    /// The call's number and the request's type.
    let prefix: String

    /// Writes down an event.
    func callAsFunction(
        _ event: CallEvent,
        _ summary: CallSummary,
        since start: ContinuousClock.Instant
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
            logger.log(isRepeated ? .warning : .debug, "\(prefix) \(trace)")
        case .decoded: logger.log(.debug, "\(prefix) decoded")
        case .finished(let failure): finish(failure, summary, after: event.time - start)
        }
    }

    /// Writes down what went over the wire, in two lines.
    func callAsFunction(_ exchange: ObservedExchange) {
        logger.log(.trace, Self.line(prefix, ">", ExchangeText.request(exchange.request)))
        guard let response = exchange.response else {
            logger.log(.trace, "\(prefix) < \(exchange.failure ?? "nothing")")
            return
        }
        logger.log(
            .trace,
            Self.line(prefix, "<", ExchangeText.response(response, to: exchange.request))
        )
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
        logger.log(.error, "\(prefix)\(request): \(refusal ?? Self.oneLine(failure))\(time)")
    }

    private static func line(_ prefix: String, _ mark: String, _ parts: [String]) -> String {
        "\(prefix) \(mark) \(oneLine(parts.joined(separator: " | ")))"
    }

    /// A text whose line breaks, and what else a terminal takes for a command, are escapes.
    private static func oneLine(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case _ where scalar.properties.generalCategory == .control || scalar == "\u{2028}":
                line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}
