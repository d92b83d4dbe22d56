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
    /// - Throws: What kept the script from being written.
    static func run(_ command: String, in folder: TemporaryFolder) async throws -> Int32 {
        let script = folder.file("command-\(UUID().uuidString)")
        // Nobody's own settings, no proxy, nothing on the terminal; whatever curl is asked for stays as printed.
        let prelude = """
            unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
            export CURL_HOME='\(folder.url.path)' HOME='\(folder.url.path)'
            """
        try Data("\(prelude)\n\(command)\n".utf8).write(to: script)
        // Not by Foundation's `Process`, whose `run` reads beyond the list of open descriptors and at times
        // ends this process with it.
        let shell = "/bin/sh '\(script.path)' < /dev/null > /dev/null 2>&1"
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: system(shell) >> 8 & 0xFF) }
        }
    }
}
