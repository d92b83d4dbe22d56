public import Foundation

/// Writes lines for people: time (UTC), level and message, in colour on a terminal alone.
public struct ConsoleLogger: NetworkLogger {
    /// Lines of one process are not to run into each other, whichever logger writes them.
    private static let turn = Locked(())

    /// The least that is written.
    package let level: NetworkLogLevel
    private let output: FileHandle
    private let isColored: Bool

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - level: The least that is written. Defaults to `.info`: a line a call.
    ///   - output: Where to. Defaults to standard error. What cannot be written is lost.
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
            // A log that cannot be written is no reason to end a call.
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
    /// Writes to standard error what matters as much as `level`.
    ///
    /// - Parameter level: The least that is written. Defaults to a line a call.
    /// - Returns: The logger.
    public static func console(_ level: NetworkLogLevel = .info) -> ConsoleLogger {
        ConsoleLogger(level: level)
    }
}
