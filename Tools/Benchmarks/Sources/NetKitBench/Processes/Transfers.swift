import Foundation

/// The transfers of one client, with what they need of files.
struct Transfers: Sendable {
    let client: any FileTransferring
    let direction: TransferDirection
    /// What is sent; a file that is fetched has its length.
    let source: TransferFile
    /// Where files go that are fetched.
    let folder: URL

    /// Transfers a kilobyte, so that all that a first call sets up is there, and waits until the
    /// process is idle again.
    func makeSmallOne() async throws {
        let length = 1024
        let file = folder.appendingPathComponent("small-\(UUID().uuidString)")
        if direction == .upload {
            try Data(repeating: 0, count: length).write(to: file)
        }
        defer { try? FileManager.default.removeItem(at: file) }  // the folder goes at last
        try await client.transfer(TransferFile(url: file, length: length))
        try await Task.sleep(for: .milliseconds(200))
    }

    /// Transfers the file and measures that; looks at what arrived and removes it thereafter.
    ///
    /// - Throws: The client's failure, or ``WrongAnswer`` for a file of another length.
    func measure(idleRSS: Int) async throws -> TransferCost {
        switch direction {
        case .upload:
            return try await TransferCost.measure(bytes: source.length, idleRSS: idleRSS) {
                try await client.transfer(source)
            }
        case .download:
            let url = folder.appendingPathComponent("download-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: url) }  // the folder goes at last
            let file = TransferFile(url: url, length: source.length)
            let cost = try await TransferCost.measure(bytes: file.length, idleRSS: idleRSS) {
                try await client.transfer(file)
            }
            let length = try TransferFile(existing: url).length
            guard length == file.length else { throw WrongAnswer.length(length) }
            return cost
        }
    }
}
