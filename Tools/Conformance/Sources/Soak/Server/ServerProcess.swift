import Foundation
import NetKitTesting

/// The server in a process of its own, whose descriptors, threads and memory don't count.
///
/// They talk in lines: the child prints its ports, then answers `connections` with a number. It ends with its
/// standard input.
final class ServerProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let baseURL: URL
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle

    init() throws {
        guard let executable = Bundle.main.executableURL else {
            throw Failure(description: "the path of this program is unknown")
        }
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        (self.process, self.input, self.output) =
            (process, input.fileHandleForWriting, output.fileHandleForReading)
        guard let port = try Self.number(from: self.output),
            let baseURL = URL(string: "http://127.0.0.1:\(port)")
        else { throw Failure(description: "the server didn't start") }
        self.baseURL = baseURL
    }

    /// The number of connections that are open on the server's side.
    func openConnections() throws -> Int {
        try input.write(contentsOf: Data("connections\n".utf8))
        guard let count = try Self.number(from: output) else {
            throw Failure(description: "the server ended")
        }
        return count
    }

    /// Ends the server, and waits for it.
    func end() {
        // It fails only if the pipe is closed already.
        try? input.close()
        process.waitUntilExit()
    }

    private static func number(from output: FileHandle) throws -> Int? {
        var line = Data()
        while let byte = try output.read(upToCount: 1), let value = byte.first {
            if value == UInt8(ascii: "\n") { break }
            line.append(value)
        }
        return Int(String(decoding: line, as: UTF8.self))
    }
}

// The child's side.
extension ServerProcess {
    /// Serves until standard input ends.
    static func serve() throws {
        let server = try FaultyServer()
        func say(_ number: Int) throws {
            try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
        }
        try say(server.main.port)
        while let line = readLine() {
            if line == "connections" { try say(server.openConnections) }
        }
        server.main.stop()
        server.other.stop()
    }
}
