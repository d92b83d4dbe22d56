import Foundation
import NetKit

/// A form with a text field and a file that is streamed from disk.
struct MultipartDemonstration: Demonstration {
    let name = "multipart"
    let summary = "the upload of a small file in a form"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("netkit-example-\(UUID().uuidString).txt")
        try Data("Milk, bread\nand a fox.".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        context.asked(#"NoteUpload(title: "Shopping", file: URL(fileURLWithPath: "…"))"#)
        let echo = try await context.endpoint.value(for: NoteUpload(title: "Shopping", file: file))
        let fields = (echo.form ?? [:]).mapValues(\.all)
        let files = (echo.files ?? [:]).mapValues(\.all)
        context.cameBack("fields \(fields)\nfiles \(files)")
        try context.expect(fields["title"] == ["Shopping"], "the text field arrived")
        try context.expect(
            files["note"] == ["Milk, bread\nand a fox."],
            "the file arrived, byte for byte"
        )
    }
}
