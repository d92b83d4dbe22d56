import ArgumentParser
import Foundation

/// A worker's process of the suite `parts`: sends the form as often as each line of its standard input
/// says, one call after the other, and answers with a ``RunCost``.
struct SendPartsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-parts",
        abstract: "Sends a form with one client, as often as each line of standard input says.",
        shouldDisplay: false
    )

    @Argument var client: PartsClient
    @OptionGroup var server: ServerOption
    @Option var parts: Int

    func run() throws {
        let form = PartsForm(count: parts)
        let sending = client.formSending(form, to: try server.url)
        let client = client
        ControlLines.answer { line in
            let calls = try ControlLines.count(in: line)
            var receipts: [UploadReceipt] = []
            let cost = try await RunCost.measure(calls: calls) {
                for _ in 0..<calls { receipts.append(try await sending.send()) }
            }
            for receipt in receipts { try client.check(receipt, of: form) }
            return cost
        }
    }
}
