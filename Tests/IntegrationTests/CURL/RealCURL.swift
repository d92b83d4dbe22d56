import Foundation

/// The curl of this machine, run by `/bin/sh` as a user would paste it.
enum RealCURL {
    static let program = "/usr/bin/curl"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Runs a command.
    ///
    /// - Parameters:
    ///   - command: What was printed for a user.
    ///   - folder: Where the script is put.
    /// - Returns: The shell's exit status.
    /// - Throws: What kept the shell from being run.
    static func run(_ command: String, in folder: TemporaryFolder) async throws -> Int32 {
        let script = folder.file("command-\(UUID().uuidString)")
        // Nobody's own settings, no proxy, nothing on the terminal; whatever curl is asked for stays as printed.
        let prelude = """
            unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
            export CURL_HOME='\(folder.url.path)' HOME='\(folder.url.path)'
            """
        try Data("\(prelude)\n\(command)\n".utf8).write(to: script)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [script.path]
        shell.standardInput = FileHandle.nullDevice
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            shell.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try shell.run()
            } catch {
                shell.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
