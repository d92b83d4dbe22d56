import Foundation
import NetKit

/// Uploads a file in a form (multipart/form-data).
final class NoteUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = Echo

    let path = "post"
    let method: HTTPMethod = .post
    /// The form's text fields, sent before the files.
    let body: RequestBody?
    let files: [any MultipartFile]

    /// The file can have any size: NetKit reads it while sending.
    init(title: String, file: URL) {
        body = .params(["title": title])
        files = [
            DefaultMultipartFile(
                resource: file,
                mime: "text/plain",
                name: "note",
                fileName: "note.txt"
            )
        ]
    }
}

struct MultipartDemonstration: Demonstration {
    let name = "multipart"
    let summary = "upload a small file in a form"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.endpoint.useAsDefault()
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("netkit-example-\(UUID().uuidString).txt")
        try Data("Milk, bread\nand a fox.".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        context.asked(
            #"NoteUpload(title: "Shopping", file: file).execute().onSuccess { … }.onFail { … }"#
        )
        // Waits for the closures. A program that keeps running needs no Answer.
        let answer = Answer<Echo>()
        NoteUpload(title: "Shopping", file: file)
            .execute()
            .onSuccess { echo in answer.succeed(echo) }
            .onFail { error in answer.fail(error) }
        try check(await answer.value, context)

        context.asked(#"try await NoteUpload(title: "Shopping", file: file).execute().value"#)
        try check(await NoteUpload(title: "Shopping", file: file).execute().value, context)
    }

    private func check(_ echo: Echo, _ context: Context) throws {
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
