import Foundation

/// Another process, most often of this executable, spoken to in lines, that ends with its standard input.
final class ChildProcess {
    /// Why a child gave no answer.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let name: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var received = Data()

    /// Starts this executable with `arguments`.
    ///
    /// - Throws: When it cannot be started.
    convenience init(named name: String, arguments: [String]) throws {
        guard let executable = Bundle.main.executableURL else {
            throw Failure(description: "this executable's path is unknown")
        }
        try self.init(named: name, executable: executable, arguments: arguments)
    }

    /// Starts `executable` with `arguments`.
    ///
    /// - Throws: When it cannot be started.
    init(named name: String, executable: URL, arguments: [String]) throws {
        self.name = name
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Only the child holds these ends now, so its exit is seen as the end of its output.
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    /// Writes a line to the child's standard input.
    func send(_ line: String) throws {
        do {
            try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        } catch {
            throw Failure(description: "\(name) has ended")
        }
    }

    /// The next line of the child's standard output.
    ///
    /// - Throws: ``Failure`` when the child ends before, or `limit` passes.
    func nextLine(within limit: Duration) throws -> String {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received = Data(received[received.index(after: end)...])
                return line
            }
            try waitForOutput(until: deadline, limit: limit)
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else {
                throw Failure(description: "\(name) ended without an answer, its error is above")
            }
            received += bytes
        }
    }

    /// Closes the child's standard input and waits for its exit; kills it if it does not come.
    func end() {
        // A pipe that is closed already has done its work.
        try? input.fileHandleForWriting.close()
        for _ in 0..<2000 where process.isRunning {
            Thread.sleep(forTimeInterval: 0.001)
        }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    private func waitForOutput(until deadline: ContinuousClock.Instant, limit: Duration) throws {
        var descriptor = pollfd(
            fd: output.fileHandleForReading.fileDescriptor,
            events: Int16(POLLIN),
            revents: 0
        )
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else {
                throw Failure(description: "\(name) gave no answer within \(limit)")
            }
            // A signal ends poll early: then it waits again for what is left.
            if poll(&descriptor, 1, Int32(left.rounded(.up))) > 0 { return }
        }
    }
}
