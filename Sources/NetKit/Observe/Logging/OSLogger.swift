#if canImport(os)
import os

/// Writes to the system's log, where there is one.
///
/// The lines hold no secrets and are public.
public struct OSLogger: NetworkLogger {
    /// The least that is written.
    public let level: NetworkLogLevel
    private let logger: Logger

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - subsystem: The app, as a reverse domain name.
    ///   - category: The part of it. Defaults to `network`.
    ///   - level: The least that is written. Defaults to `.info`: a line a call.
    public init(
        subsystem: String,
        category: String = "network",
        level: NetworkLogLevel = .info
    ) {
        self.level = level
        logger = Logger(subsystem: subsystem, category: category)
    }

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let type: OSLogType =
            switch level {
            case .trace, .debug: .debug
            case .info: .info
            case .warning: .default
            case .error: .error
            }
        let line = message()
        logger.log(level: type, "\(line, privacy: .public)")
    }
}
#endif
