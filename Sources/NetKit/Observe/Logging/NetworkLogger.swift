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

    /// Takes a line with what is known of its call, for loggers with structured lines.
    ///
    /// NetKit logs by this method alone. By default it leaves the metadata out.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: Makes the line. It costs nothing as long as it is not called.
    ///   - metadata: Makes names and values, without secrets: `call` (a number that tells the calls of this process
    ///     apart), `request` (the type), `method`, `url` (without query values), `attempt` (counted from 1), `status`
    ///     (the code of the last response) and `duration` (seconds since the call began). A name without a value is
    ///     missing.
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
    /// Header fields and bodies as sent and received.
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
/// This is an endpoint's default.
public struct SilentLogger: NetworkLogger {
    /// Creates a logger that discards all messages.
    public init() {}

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {}
}

extension NetworkLogger where Self == SilentLogger {
    /// A logger that discards all messages.
    public static var silent: SilentLogger { SilentLogger() }
}
