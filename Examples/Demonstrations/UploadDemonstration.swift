import Foundation
import NetKit
import NetKitTesting

/// Uploads a large file in a form, reading it while sending.
struct UploadDemonstration: Demonstration {
    let name = "upload"
    let summary = "upload 200 MB in a form, with a progress bar"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.keepsBodies = false
        server.route("POST", "/archive") { _ in .status(204) }
    }

    func run(_ context: Context) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("netkit-example-\(UUID().uuidString).bin")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 200_000_000)
        try handle.close()

        context.asked("ArchiveUpload(file: file).execute(on: endpoint)")
        let operation = ArchiveUpload(file: file).execute(on: context.endpoint)
        var bar = ProgressBar("upload")
        var last: Transfer?
        for await transfer in operation.transfers where transfer.direction == .upload {
            bar.show(transfer)
            last = transfer
        }
        bar.finish()
        try await operation.value
        context.cameBack("stored")
        let length = try context.lastRequest().bodyLength
        try context.expect(last?.byteCount == Int64(length), "progress reached the last byte")
        try context.expect(length > 200_000_000, "the server received the whole form")
    }
}
