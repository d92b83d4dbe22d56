import Foundation

/// A fresh folder for temporary files that is gone when this process is, however it ends.
///
/// A process of its own keeps it: it removes the folder when its standard input closes, which
/// happens even if this process is killed.
struct TemporaryFolder {
    let url: URL
    private let keeper: ChildProcess

    /// Makes the folder.
    ///
    /// - Throws: When that cannot be done.
    init() throws {
        keeper = try ChildProcess(named: "keeper of the folder", arguments: ["keep-folder"])
        url = URL(fileURLWithPath: try keeper.nextLine(within: .seconds(10)), isDirectory: true)
    }

    /// Removes the folder.
    func end() {
        keeper.end()
    }
}
