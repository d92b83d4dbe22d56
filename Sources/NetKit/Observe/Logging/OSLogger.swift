#if canImport(os)
import os

/// Writes to the system's log, where there is one.
///
/// The lines hold no secrets and are public.
public struct OSLogger: NetworkLogger {
    private let logger: Logger

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - subsystem: The app, as a reverse domain name.
    ///   - category: The part of it. Defaults to `network`.
    public init(subsystem: String, category: String = "network") {
        logger = Logger(subsystem: subsystem, category: category)
    }

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
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
