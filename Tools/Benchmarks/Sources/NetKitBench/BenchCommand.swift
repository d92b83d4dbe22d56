import ArgumentParser

/// The root command: a subcommand for each suite, and hidden ones for the processes it starts.
@main
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "netkit-bench",
        abstract: "Measures NetKit beside raw URLSession and AsyncHTTPClient.",
        discussion: """
            Build with -c release and run on a quiet machine. Compare only ratios taken in one \
            run: absolute rates move with the machine.
            """,
        subcommands: [
            SmallSuite.self, GrowthSuite.self, PartsSuite.self, UploadSuite.self,
            DownloadSuite.self, StreamSuite.self, ColdSuite.self, CostSuite.self,
            DescribeSuite.self, CacheSuite.self, ServeCommand.self, WorkCommand.self,
            HoldCommand.self,
            SendPartsCommand.self, ReadStreamCommand.self, TransferCommand.self,
            KeepFolderCommand.self,
        ]
    )
}
