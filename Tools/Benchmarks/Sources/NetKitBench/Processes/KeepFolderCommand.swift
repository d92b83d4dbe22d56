import ArgumentParser
import Foundation

/// The keeper of a ``TemporaryFolder``: makes it, prints its path, and removes it when its standard
/// input closes.
struct KeepFolderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep-folder",
        abstract: "Makes a folder that is removed when standard input closes.",
        shouldDisplay: false
    )

    func run() throws {
        // An interrupt reaches all processes of a terminal; this one goes when its work is done.
        for ending in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { signal(ending, SIG_IGN) }
        let manager = FileManager.default
        let folder = manager.temporaryDirectory
            .appendingPathComponent("netkit-bench-\(UUID().uuidString)", isDirectory: true)
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        FileHandle.standardOutput.write(Data("\(folder.path)\n".utf8))
        while readLine() != nil {}
        // A worker that is only just ending may have put another file there meanwhile.
        for _ in 0..<50 where manager.fileExists(atPath: folder.path) {
            try? manager.removeItem(at: folder)
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}
