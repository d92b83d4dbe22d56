import ArgumentParser

/// A large file sent to a server that counts it.
struct UploadSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "POST of a large file, plain and as multipart."
    )

    @OptionGroup var options: TransferOptions

    func run() throws {
        try TransferRounds(direction: .upload, options: options).report()
    }
}
