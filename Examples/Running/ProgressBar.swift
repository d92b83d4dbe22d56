import Foundation
import NetKit

/// Prints the progress of a transfer: one changing line in a terminal, a few lines otherwise.
struct ProgressBar {
    private let label: String
    /// The terminal's width in columns, or nil when the output isn't a terminal.
    private let columns: Int?
    private var lastQuarter = -1

    init(_ label: String) {
        self.label = Layout.indented(label)
        columns = Self.terminalColumns()
    }

    /// Prints the latest progress.
    mutating func show(_ transfer: Transfer) {
        guard let columns else { return showLine(transfer) }
        let figures = Layout.padded(Self.figures(of: transfer), to: 50)
        let room = columns - label.count - figures.count - 6
        let filled = Int(Double(max(0, room)) * (transfer.fractionCompleted ?? 0))
        let bar =
            room < 4
            ? ""
            : "[" + String(repeating: "=", count: filled)
                + String(repeating: " ", count: room - filled) + "] "
        write("\r\(label) \(bar)\(figures)\u{1B}[K")
    }

    /// Ends the line.
    func finish() {
        if columns != nil { write("\n") }
    }

    private mutating func showLine(_ transfer: Transfer) {
        let quarter = Int((transfer.fractionCompleted ?? 0) * 4)
        guard quarter > lastQuarter else { return }
        lastQuarter = quarter
        write("\(label) \(Self.figures(of: transfer))\n")
    }

    private func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }

    /// The text after the bar: `45 %   90.0 MB of 200.0 MB  310.2 MB/s  0:04 left`.
    static func figures(of transfer: Transfer) -> String {
        let percent = transfer.fractionCompleted.map { "\(Int($0 * 100)) %" } ?? ""
        let total = transfer.totalByteCount.map { " of \(megabytes(Double($0)))" } ?? ""
        let rate = transfer.bytesPerSecond.map { "  \(megabytes($0))/s" } ?? ""
        let left = transfer.estimatedTimeRemaining.map { time in
            let seconds = time.components.seconds
            return "  \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left"
        }
        return
            "\(Layout.padded(percent, to: 5)) \(megabytes(Double(transfer.byteCount)))\(total)\(rate)"
            + (left ?? "")
    }

    private static func megabytes(_ count: Double) -> String {
        let tenths = Int(count / 100_000)
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    private static func terminalColumns() -> Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
