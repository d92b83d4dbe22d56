#if canImport(os)
import os

/// A logger that writes to the unified logging system of Apple platforms.
///
/// The messages contain no secrets and are public.
public struct OSLogger: NetworkLogger {
    /// The minimum level to write.
    public let level: NetworkLogLevel
    private let logger: Logger

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - subsystem: The app, as a reverse domain name.
    ///   - category: The part of the app. Defaults to `network`.
    ///   - level: The minimum level to write. Defaults to `.info`, which is one line per call.
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
