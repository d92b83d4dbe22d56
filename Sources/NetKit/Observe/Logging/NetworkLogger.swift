/// Takes what NetKit has to say about its calls, line by line.
///
/// Secrets are left out of the lines, as ``Endpoint/redaction`` says, before a logger sees them.
///
/// An adapter to another logging system is a few lines; this one is for swift-log:
///
/// ```swift
/// struct SwiftLogLogger: NetworkLogger {
///     let logger: Logger
///
///     func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
///         logger.log(level: Logger.Level(rawValue: level.name) ?? .info, "\(message())")
///     }
/// }
/// ```
public protocol NetworkLogger: Sendable {
    /// Takes a line.
    ///
    /// It is called from the calls' own tasks, from several at a time.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: Makes the line. It costs nothing as long as it is not called.
    func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String)
}

/// How much a line of a log matters.
public enum NetworkLogLevel: Hashable, Comparable, CaseIterable, Sendable {
    /// Header fields and bodies, as they went over the wire.
    case trace
    /// The steps of a call.
    case debug
    /// A call that succeeded, in one line.
    case info
    /// An attempt that failed and is made again.
    case warning
    /// A call that failed, in one line.
    case error

    /// The name: `trace`, `debug`, `info`, `warning` or `error`.
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

/// Says nothing: what an endpoint has at first.
public struct SilentLogger: NetworkLogger {
    /// Makes a logger that says nothing.
    public init() {}

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {}
}

extension NetworkLogger where Self == SilentLogger {
    /// Says nothing.
    public static var silent: SilentLogger { SilentLogger() }
}
