import Foundation
import NetKit
import NetKitTesting

/// A download that fails with its connection, and a second call that resumes it.
struct DownloadDemonstration: Demonstration {
    let name = "download"
    let summary = "download 200 MB to a file, and resume after a lost connection"
    let needsOwnServer = true

    private static let length = 200_000_000

    func prepare(_ server: MockServer) {
        let archive = Data(count: Self.length)
        server.route("GET", "/archive") { request in
            let response = MockResponse.resource(archive, for: request, eTag: "\"v1\"")
            let isFirst = request.header("Range") == nil
            return isFirst ? response.cutting(afterBodyBytes: Self.length * 2 / 5) : response
        }
    }

    func run(_ context: Context) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("netkit-example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("archive.bin")
        context.endpoint.retryingCount = 0

        context.asked("ArchiveRequest().download(to: file).execute(on: endpoint)")
        let first = ArchiveRequest().download(to: file).execute(on: context.endpoint)
        await show(first)
        do {
            _ = try await first.value
            context.cameBack("saved, despite the lost connection")
        } catch {
            context.cameBack("failed: \(error.message)")
        }

        context.asked("the same call again")
        let second = ArchiveRequest().download(to: file).execute(on: context.endpoint)
        await show(second)
        let saved = try await second.value
        context.cameBack("saved as \(saved.lastPathComponent)")
        let asked = try context.lastRequest().header("Range")
        try context.expect(asked == "bytes=80000000-", "the second call requested only the rest")
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        try context.expect(size == Self.length, "the file is complete")
    }

    private func show(_ operation: RequestExecutionOperation<DownloadRequest<ArchiveRequest>>) async
    {
        var bar = ProgressBar("download")
        for await transfer in operation.transfers { bar.show(transfer) }
        bar.finish()
    }
}
