import Foundation
import NetKitSupport

/// Logs the reports of a call, one line each, prefixed with the call's number.
struct CallLog: CallSubscriber {
    /// The maximum number of hosts to warn about.
    private static let maximumWarnings = 100

    private let logger: any NetworkLogger
    /// The origins that received a credential without encryption.
    private let warned: Locked<Set<Origin>>

    /// Creates the log of a call.
    ///
    /// - Parameters:
    ///   - logger: The logger for the lines.
    ///   - warned: The origins already warned about, shared by the calls of an endpoint.
    init(_ logger: any NetworkLogger, warned: Locked<Set<Origin>>) {
        self.logger = logger
        self.warned = warned
    }

    func receive(_ report: CallReport, of call: CallSummary) {
        let lines = CallLines(logger: logger, call: call)
        switch report {
        case .queued(let request): lines.log(.debug, "\(request): queued")
        case .attempt(let number): lines.log(.debug, "attempt \(number)")
        case .sending(let request):
            warn(of: request, lines)
            lines.trace(">") {
                ExchangeText.request(request, by: request.redaction.showingFields)
            }
        case .started: lines.log(.debug, "started")
        case .sent: lines.log(.debug, "body sent")
        case .exchanged(let result, _, _):
            if let connection = result.phases?.connection { lines.log(.debug, "\(connection)") }
            lines.trace("<") {
                switch result.outcome {
                case .response(let response):
                    ExchangeText.response(response, by: result.request.redaction.showingFields)
                case .failure(let failure): [failure.line]
                }
            }
        case .redirected(let status, let url):
            lines.log(.debug, "redirected by \(status.rawValue) to \(RedactedURL(url))")
        case .credentialsRemoved(let names):
            let list = names.isEmpty ? "" : " (\(names.map(\.rawName).joined(separator: ", ")))"
            lines.log(.debug, "credentials removed: the redirect leads to another origin\(list)")
        case .refreshed(let recovery):
            lines.log(.debug, "sent again after authentication: \(recovery)")
        case .authenticationHidden:
            lines.log(
                .warning,
                "the endpoint's authentication isn't used, because the endpoint's headers have an Authorization field"
            )
        case .cookiesNotSaved(let problem):
            lines.log(.warning, "cookies are not saved: \(LogText.plain(problem))")
        case .cacheUnavailable(let problem):
            lines.log(.warning, "nothing is cached: \(LogText.plain(problem))")
        case .answeredFromCache(let result, _):
            let age = result.response?.headers[.age].map { ", \($0) seconds old" } ?? ""
            lines.log(.debug, "from the cache (\(result.cacheOutcome)\(age))")
        case .startedOver(let reason): lines.log(.info, "the download starts over: \(reason)")
        case .received(let response): lines.log(.debug, "received \(response.statusLine)")
        case .attempted(_, let trace):
            let isRepeated =
                switch trace.next {
                case .retry, .interceptor: true
                case .done, .stop: false
                }
            lines.log(isRepeated ? .warning : .debug, LogText.plain("\(trace)"))
        case .decoded: lines.log(.debug, "decoded")
        case .joined: break
        case .undecodable(let problem): lines.logRequest(.error, LogText.plain(problem))
        case .finished(let failure, let response, let isCancellation):
            finish(failure, response, isCancellation ? .info : .error, lines)
        }
    }

    /// Warns once per host about a credential sent without encryption, except on loopback.
    private func warn(of request: EncodedRequest, _ lines: CallLines) {
        guard let origin = request.origin, origin.scheme == "http", !origin.isLoopback else {
            return
        }
        let names = request.headers.credentials(hiding: request.redaction.headers)
        guard !names.isEmpty,
            warned.withLock({ $0.count < Self.maximumWarnings && $0.insert(origin).inserted })
        else { return }
        let list = names.map(\.rawName).joined(separator: ", ")
        lines.log(.warning, "\(list) sent to \(origin.host) without encryption")
    }

    private func finish(
        _ failure: String?,
        _ response: HTTPResponse?,
        _ level: NetworkLogLevel,
        _ lines: CallLines
    ) {
        let call = lines.call
        let attempts = call.attempts > 1 ? " in \(call.attempts) attempts" : ""
        let time = "\(attempts), \(DurationText(call.elapsed))"
        guard var failure else {
            return lines.logRequest(.info, "\(response.map { "\($0.status)" } ?? "done")\(time)")
        }
        // A description names its request, and so does the line.
        if let label = call.request.map({ "\($0.label): " }) {
            while failure.hasPrefix(label) { failure.removeFirst(label.count) }
        }
        let refusal = response.flatMap { $0.status.isSuccessful ? nil : $0.statusLine }
        let retry = call.refusedRetry.map { "; \($0)" } ?? ""
        lines.logRequest(level, "\(refusal ?? LogText.plain(failure))\(retry)\(time)")
    }
}

/// A logger of the lines of one call, with what is known of it.
private struct CallLines {
    let logger: any NetworkLogger
    let call: CallSummary

    private var prefix: String { "[\(call.id)] \(call.requestName)" }

    func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        logger.log(level, "\(prefix) \(message())", metadata: metadata)
    }

    /// Logs a line that names the request.
    func logRequest(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        let request = call.request.map { " \($0)" } ?? ""
        logger.log(level, "\(prefix)\(request): \(message())", metadata: metadata)
    }

    func trace(_ mark: String, _ parts: () -> [String]) {
        log(.trace, "\(mark) \(LogText.plain(parts().joined(separator: " | ")))")
    }

    /// What is known of the call, without secrets.
    private var metadata: [String: String] {
        var metadata = [
            "call": "\(call.id)", "request": call.requestName,
            "duration": "\((call.elapsed / .microseconds(1)).rounded() / 1_000_000)",
        ]
        if let request = call.request {
            metadata["method"] = request.method.rawValue
            metadata["url"] = "\(RedactedURL(request.url))"
        }
        if call.attempts > 0 { metadata["attempt"] = "\(call.attempts)" }
        if let status = call.status { metadata["status"] = "\(status.rawValue)" }
        return metadata
    }
}

/// Formats an exchange as redacted text: heads and bodies.
enum ExchangeText {
    /// The maximum number of bytes to show of a body.
    static let longestBody = 4_096

    /// Returns the request line, the header fields, and the body.
    static func request(_ request: EncodedRequest, by redaction: Redaction) -> [String] {
        let line = "\(request.method) \(redaction.shown(request.url))"
        let fields = fields(request.headers, redaction)
        guard let body = request.body else { return [line] + fields }
        guard let data = body.data else { return [line] + fields + ["(\(body.size))"] }
        return [line] + fields + Self.body(data, request.redactedType, redaction)
    }

    /// Returns the status, the header fields, and the body.
    static func response(_ response: HTTPResponse, by redaction: Redaction) -> [String] {
        let type = response.headers[.contentType]
        return ["\(response.status)"] + fields(response.headers, redaction)
            + Self.body(response.body, type, redaction)
    }

    private static func fields(_ fields: HTTPHeaders, _ redaction: Redaction) -> [String] {
        fields.map { "\($0.name): \(redaction.shown($0.value, of: $0.name, in: fields))" }
    }

    /// Returns a body as one piece, or none if it is empty.
    ///
    /// It reads only as much of the body as it shows.
    static func body(_ body: Data, _ type: String?, _ redaction: Redaction) -> [String] {
        RedactedBody.pieces(of: body, type: type, by: redaction.rules, atMost: longestBody)
    }
}
