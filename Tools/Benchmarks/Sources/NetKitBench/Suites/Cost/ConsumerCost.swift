import Foundation

/// What a consumer costs to build, and how large it is.
struct ConsumerCost: Equatable, Sendable {
    /// Seconds of a clean release build.
    let seconds: Double
    /// Bytes of the executable without symbols.
    let strippedSize: Int

    /// Builds a package from nothing, and makes sure that its program works.
    ///
    /// - Parameters:
    ///   - consumer: The package.
    ///   - parent: Where its folder is made, and removed at the end.
    ///   - server: The server that the program asks.
    /// - Returns: The time of the build and the size of the program.
    /// - Throws: ``CommandLineTool/Failure`` when it doesn't build, ``WrongAnswer`` when it doesn't
    ///   print the item's number.
    static func measure(_ consumer: Consumer, in parent: URL, server: Server) throws -> ConsumerCost
    {
        let folder = parent.appendingPathComponent("consumer-\(consumer.name)", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the parent goes at last
        try consumer.write(to: folder)
        // Dependencies are fetched before, and manifests are compiled.
        try CommandLineTool.run(["swift", "package", "resolve"], in: folder)
        let start = ContinuousClock.now
        try CommandLineTool.run(["swift", "build", "-c", "release"], in: folder)
        let elapsed = ContinuousClock.now - start
        let built = folder.appendingPathComponent(".build/release/Consumer").path
        let output = try CommandLineTool.run([built, server.baseURL], in: folder)
        guard output == Consumer.output + "\n" else { throw WrongAnswer.value }
        try CommandLineTool.run(["strip", "-o", "stripped", built], in: folder)
        let stripped = try TransferFile(existing: folder.appendingPathComponent("stripped"))
        return ConsumerCost(seconds: elapsed / .seconds(1), strippedSize: stripped.length)
    }
}
