import CAllocator
import Foundation

/// What this process holds at a moment, from `/proc/self` and the allocator.
struct ProcessSample: Hashable, Sendable {
    /// Open descriptors.
    var descriptors: Int
    var threads: Int
    /// Resident bytes.
    var memory: Int
    /// The bytes that were allocated and not freed.
    var allocated = 0
    /// The exchanges over URLSession so far.
    var sessionExchanges = 0

    static func now(sessionExchanges: Int = 0) -> ProcessSample {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return ProcessSample(
            descriptors: names?.count ?? 0,
            threads: figure("Threads", in: status),
            memory: figure("VmRSS", in: status) * 1024,
            allocated: Int(soak_allocated_bytes()),
            sessionExchanges: sessionExchanges
        )
    }

    /// The names of the threads, each with its number of threads.
    static var threadNames: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        var counts: [String: Int] = [:]
        for task in tasks {
            // A thread may have ended meanwhile.
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            guard let name else { continue }
            counts[name.trimmingCharacters(in: .newlines), default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    }

    /// The number in a line such as `Threads:	7`.
    static func figure(_ name: String, in status: String) -> Int {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
}
