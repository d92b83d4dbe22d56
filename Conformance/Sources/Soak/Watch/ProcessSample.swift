import Foundation

/// What this process holds at a moment, from `/proc/self`.
struct ProcessSample: Hashable, Sendable {
    /// Open descriptors.
    var descriptors: Int
    var threads: Int
    /// Resident bytes.
    var memory: Int
    /// The exchanges on the wire so far.
    var exchanges = 0

    static func now(exchanges: Int = 0) -> ProcessSample {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return ProcessSample(
            descriptors: names?.count ?? 0,
            threads: figure("Threads", in: status),
            memory: figure("VmRSS", in: status) * 1024,
            exchanges: exchanges
        )
    }

    /// The number in a line such as `Threads:	7`.
    static func figure(_ name: String, in status: String) -> Int {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
}
