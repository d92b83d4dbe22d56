import ArgumentParser

/// What the suites `upload` and `download` can be asked.
struct TransferOptions: ParsableArguments {
    @Flag(help: "Print one JSON object a line for each client and each goal.")
    var json = false

    @Option(help: "How often every client is measured.")
    var rounds = 7

    @Option(help: "The length of the file, as 64MiB or 1GiB.")
    var size = ByteCount(1 << 30)

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
    }
}
