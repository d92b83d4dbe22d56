import NetKit
import NetKitSupport

/// Keeps the lines that matter enough.
struct LineLogger: NetworkLogger {
    private let kept = Locked<[String]>([])
    var level = NetworkLogLevel.trace

    var lines: [String] { kept.withLock { $0 } }

    func log(_ level: NetworkLogLevel, _ message: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let line = "\(level.name) \(message())"
        kept.withLock { $0.append(line) }
    }
}
