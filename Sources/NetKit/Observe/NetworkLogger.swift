public import Foundation
import NetKitSupport

#if canImport(os)
import os
#endif

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
    /// - `request`: the ``Request/name`` of the request
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
    /// A successful or canceled call, in one line, and a download that starts over.
    case info
    /// A failed attempt that is retried, and problems that don't fail the call.
    case warning
    /// A failed call, in one line.
    case error

    /// The name: `trace`, `debug`, `info`, `warning`, or `error`.
    public var name: String { look.name }

    /// The name, and its color on a terminal.
    fileprivate var look: (name: String, color: Int) {
        switch self {
        case .trace: ("trace", 90)
        case .debug: ("debug", 36)
        case .info: ("info", 32)
        case .warning: ("warning", 33)
        case .error: ("error", 31)
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

/// A logger that writes readable lines to a file handle, by default standard error.
///
/// A line has the time in UTC, the level, and the message. It is colored only on a terminal.
public struct ConsoleLogger: NetworkLogger {
    /// Serializes the lines of all loggers in the process.
    private static let turn = Locked(())

    /// The minimum level to write.
    package let level: NetworkLogLevel
    private let output: FileHandle
    private let isColored: Bool

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - level: The minimum level to write. Defaults to `.info`, which is one line per call or retry.
    ///   - output: The file handle to write to. Lines that can't be written are lost, but a pipe without a reader ends a
    ///     program that doesn't ignore SIGPIPE. Defaults to standard error.
    public init(level: NetworkLogLevel = .info, to output: FileHandle = .standardError) {
        let isPlain = EnvironmentVariable.value(of: "NO_COLOR") != nil
        self.init(
            level: level,
            to: output,
            isColored: !isPlain && isatty(output.fileDescriptor) == 1
        )
    }

    init(level: NetworkLogLevel, to output: FileHandle, isColored: Bool) {
        (self.level, self.output, self.isColored) = (level, output, isColored)
    }

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let color = isColored ? level.look.color : nil
        let line = LogText.line(level.name, message(), at: Date(), color: color)
        Self.turn.withLock { _ in
            // A failure to write the log must not fail the call.
            try? output.write(contentsOf: Data(line.utf8))
        }
    }
}

extension NetworkLogger where Self == ConsoleLogger {
    /// Creates a logger that writes to standard error.
    ///
    /// - Parameter level: The minimum level to write. Defaults to `.info`, which is one line per call or retry.
    /// - Returns: The logger.
    public static func console(_ level: NetworkLogLevel = .info) -> ConsoleLogger {
        ConsoleLogger(level: level)
    }
}

#if canImport(os)
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
    ///   - level: The minimum level to write. Defaults to `.info`, which is one line per call or retry.
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
