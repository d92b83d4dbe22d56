import Foundation

/// A tool that is run to its end.
enum CommandLineTool {
    /// A tool that ended with another code than 0.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a tool that is found in `PATH`.
    ///
    /// - Parameters:
    ///   - arguments: Its name and its arguments.
    ///   - folder: Where it runs.
    /// - Returns: Its standard output.
    /// - Throws: ``Failure`` with the end of its output when it fails.
    @discardableResult
    static func run(_ arguments: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            let command = arguments.joined(separator: " ")
            throw Failure(
                description: "\(command): code \(process.terminationStatus)\n\(text.suffix(4000))"
            )
        }
        return text
    }
}
