import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Console logger")
struct ConsoleLoggerTests {
    /// What a logger wrote.
    private func written(_ use: (FileHandle) -> Void) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        use(handle)
        try handle.close()
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test("writes a line with time, level and message, and color only in a terminal")
    func line() throws {
        let text = try written { ConsoleLogger(to: $0).log(.warning, "hello") }
        #expect(text.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARNING hello\n$/))
        #expect(!text.contains("\u{1B}"))
        let colored = try written {
            ConsoleLogger(level: .trace, to: $0, isColored: true).log(.error, "x")
        }
        #expect(colored.hasSuffix("Z \u{1B}[31mERROR  \u{1B}[0m x\n"))
    }

    @Test("has the level that it is made with, and a silent one builds no messages")
    func shorthands() {
        let loggers: [any NetworkLogger] = [.console(.error), .console(), .silent]
        #expect(loggers.map { ($0 as? ConsoleLogger)?.level } == [.error, .info, nil])
        var isBuilt = false
        func message() -> String {
            isBuilt = true
            return ""
        }
        loggers[2].log(.error, message())
        #expect(!isBuilt)
    }

    @Test(
        "writes messages at its level and above, and builds no others",
        arguments: NetworkLogLevel.allCases
    )
    func levels(least: NetworkLogLevel) throws {
        let made = Locked<[NetworkLogLevel]>([])
        let text = try written { handle in
            let logger = ConsoleLogger(level: least, to: handle)
            for level in NetworkLogLevel.allCases {
                logger.log(
                    level,
                    {
                        made.withLock { $0.append(level) }
                        return level.name
                    }()
                )
            }
        }
        let wanted = NetworkLogLevel.allCases.filter { $0 >= least }
        #expect(made.withLock { $0 } == wanted)
        #expect(text.split(separator: "\n").count == wanted.count)
    }

    @Test("writes whole lines from many threads")
    func threads() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    ConsoleLogger(to: handle).log(.info, String(repeating: "x", count: 10_000))
                }
            }
        }
        try handle.close()
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 50)
        #expect(Set(lines.map { $0.suffix(10_001) }).count == 1)
    }

    @Test(
        "loses only what can't be written",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
    )
    func closed() throws {
        let handle = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        ConsoleLogger(to: handle).log(.error, "x")
        try handle.close()
        ConsoleLogger(to: handle).log(.error, "x")
    }
}
