public import Logging
public import NetKit

/// Gives NetKit's lines to swift-log.
public struct SwiftLogLogger: NetworkLogger {
    private let logger: Logger

    public init(_ logger: Logger) {
        self.logger = logger
    }

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        logger.log(level: Logger.Level(rawValue: level.name) ?? .info, "\(message())")
    }
}
