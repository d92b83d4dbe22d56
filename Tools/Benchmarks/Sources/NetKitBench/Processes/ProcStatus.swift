import Foundation

/// What Linux tells of a process in `/proc/self/status`.
enum ProcStatus {
    /// A figure of this process in bytes, nil where it is not told.
    static func bytes(_ name: String) -> Int? {
        (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))
            .flatMap { bytes(name, in: $0) }
    }

    /// The figure in a line such as `VmRSS:      1760 kB`, in bytes.
    static func bytes(_ name: String, in status: String) -> Int? {
        status.split(separator: "\n")
            .first { $0.hasPrefix("\(name):") }?
            .split(whereSeparator: \.isWhitespace)
            .compactMap { Int($0) }
            .first
            .map { $0 * 1024 }
    }
}
