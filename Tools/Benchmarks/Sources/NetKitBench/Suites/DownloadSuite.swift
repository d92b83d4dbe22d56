import ArgumentParser

/// A large body fetched into a file.
struct DownloadSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "GET of a large body into a file."
    )

    @OptionGroup var options: TransferOptions

    func run() throws {
        try TransferRounds(direction: .download, options: options).report()
    }
}
