public import Logging
public import NetKit

/// A logger that passes NetKit's lines to swift-log, with metadata.
///
/// ```swift
/// endpoint.logger = SwiftLogLogger(Logger(label: "network"))
/// ```
///
/// The metadata of a line is that of `NetworkLogger.log(_:_:metadata:)`: `call`, `request`, `method`, `url`, `attempt`,
/// `status` and `duration`, besides the logger's own. It holds no secrets. NetKit's levels are those of swift-log with
/// the same names. Below the level of the logger, neither message nor metadata is made.
public struct SwiftLogLogger: NetworkLogger {
    private let logger: Logger

    /// Creates a logger.
    ///
    /// - Parameter logger: The logger that takes the lines.
    public init(_ logger: Logger) {
        self.logger = logger
    }

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        logger.log(level: Logger.Level(level), "\(message())")
    }

    public func log(
        _ level: NetworkLogLevel,
        _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> [String: String]
    ) {
        logger.log(
            level: Logger.Level(level),
            "\(message())",
            metadata: metadata().mapValues { .string($0) }
        )
    }
}

extension Logger.Level {
    /// The level of the same name.
    fileprivate init(_ level: NetworkLogLevel) {
        switch level {
        case .trace: self = .trace
        case .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
