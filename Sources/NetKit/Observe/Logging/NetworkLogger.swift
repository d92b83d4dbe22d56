/// A logger for the messages about calls.
///
/// Secrets are redacted from messages as ``Endpoint/redaction`` specifies, before a logger receives them.
///
/// An adapter for another logging system takes a few lines:
///
/// ```swift
/// struct PrintLogger: NetworkLogger {
///     func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
///         if level >= .info { print(level.name, message()) }
///     }
/// }
/// ```
///
/// The one for swift-log is in the package `Adapters`.
public protocol NetworkLogger: Sendable {
    /// Logs a message.
    ///
    /// The calls' tasks call this method concurrently.
    ///
    /// - Parameters:
    ///   - level: The importance of the message.
    ///   - message: A closure that creates the message. It costs nothing unless it is called.
    func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String)

    /// Logs a line with the metadata of its call.
    ///
    /// NetKit logs only with this method. By default, it drops the metadata and calls ``log(_:_:)``. The metadata contains no
    /// secrets:
    ///
    /// - `call`: the number of the call in this process
    /// - `request`: the request's type
    /// - `method` and `url`, without query values
    /// - `attempt`: the number of the attempt, starting at 1
    /// - `status`: the status code of the last response
    /// - `duration`: the seconds since the start of the call
    ///
    /// - Parameters:
    ///   - level: The level of the line.
    ///   - message: Returns the line.
    ///   - metadata: Returns the names and values. A name without a value is missing.
    func log(
        _ level: NetworkLogLevel,
        _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> [String: String]
    )
}

extension NetworkLogger {
    public func log(
        _ level: NetworkLogLevel,
        _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> [String: String]
    ) {
        log(level, message())
    }
}

/// The importance of a log message.
public enum NetworkLogLevel: Hashable, Comparable, CaseIterable, Sendable {
    /// Header fields, JSON and forms as sent and received, without secrets.
    case trace
    /// The steps of a call.
    case debug
    /// A successful call, in one line.
    case info
    /// A failed attempt that is retried, and problems that don't fail the call.
    case warning
    /// A failed call, in one line.
    case error

    /// The name: `trace`, `debug`, `info`, `warning`, or `error`.
    public var name: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// A logger that discards all messages.
///
/// This is an endpoint's default: ``NetworkLogger/silent``.
public struct SilentLogger: NetworkLogger {
    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {}
}

extension NetworkLogger where Self == SilentLogger {
    /// A logger that discards all messages.
    public static var silent: SilentLogger { SilentLogger() }
}
