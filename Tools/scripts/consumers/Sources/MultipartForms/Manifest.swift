import Foundation

/// The expected contents of a body: the form's texts and bytes, unprocessed by NetKit.
struct Manifest: Encodable {
    struct Part: Encodable {
        /// UTF-8 data like `fileName` and `content`, because JSON could change a string.
        let name: Data
        /// Nil for a text part.
        let fileName: Data?
        let type: String?
        let content: Data
    }

    /// The `Content-Type` of the body.
    let contentType: String
    let parts: [Part]

    init(of form: Form, contentType: String) {
        self.contentType = contentType
        parts =
            form.texts.map { text in
                Part(
                    name: Data(text.name.utf8),
                    fileName: nil,
                    type: nil,
                    content: Data(text.value.utf8)
                )
            }
            + form.files.map { file in
                Part(
                    name: Data(file.name.utf8),
                    fileName: Data(file.fileName.utf8),
                    type: file.mime.rawValue,
                    content: file.bytes
                )
            }
    }
}
