import ArgumentParser

/// What every suite can be asked.
struct SuiteOptions: ParsableArguments {
    @Flag(help: "Print one JSON object a line for each client and number of calls in flight.")
    var json = false

    @Option(help: "How often every client is measured.")
    var rounds = 15

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
    }
}

/// A list of numbers with commas between them.
struct NumberList: ExpressibleByArgument {
    let values: [Int]

    init(_ values: [Int]) {
        self.values = values
    }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        values = parts.compactMap { Int($0) }
        guard values.count == parts.count else { return nil }
    }

    var defaultValueDescription: String {
        values.map(String.init).joined(separator: ",")
    }
}
