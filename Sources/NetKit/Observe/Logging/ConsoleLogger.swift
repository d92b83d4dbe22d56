public import Foundation

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
    ///   - level: The minimum level to write. Defaults to `.info`, which is one line per call.
    ///   - output: The file handle to write to. Lines that can't be written are lost. Defaults to standard error.
    public init(level: NetworkLogLevel = .info, to output: FileHandle = .standardError) {
        let isPlain = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
        self.init(
            level: level,
            to: output,
            isColored: !isPlain && isatty(output.fileDescriptor) == 1
        )
    }

    init(level: NetworkLogLevel, to output: FileHandle, isColored: Bool) {
        self.level = level
        self.output = output
        self.isColored = isColored
    }

    public func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let line = Self.line(level, message(), at: Date(), isColored: isColored)
        Self.turn.withLock { _ in
            // A failure to write the log must not fail the call.
            try? output.write(contentsOf: Data(line.utf8))
        }
    }

    static func line(
        _ level: NetworkLogLevel,
        _ message: String,
        at time: Date,
        isColored: Bool
    ) -> String {
        let name = level.name.uppercased().padding(toLength: 7, withPad: " ", startingAt: 0)
        let shown = isColored ? "\u{1B}[\(color(of: level))m\(name)\u{1B}[0m" : name
        let stamp = time.formatted(Self.stamp)
        return "\(stamp) \(shown) \(message)\n"
    }

    private static let stamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func color(of level: NetworkLogLevel) -> Int {
        switch level {
        case .trace: 90
        case .debug: 36
        case .info: 32
        case .warning: 33
        case .error: 31
        }
    }
}

extension NetworkLogger where Self == ConsoleLogger {
    /// Creates a logger that writes to standard error.
    ///
    /// - Parameter level: The minimum level to write. Defaults to `.info`, which is one line per call.
    /// - Returns: The logger.
    public static func console(_ level: NetworkLogLevel = .info) -> ConsoleLogger {
        ConsoleLogger(level: level)
    }
}
