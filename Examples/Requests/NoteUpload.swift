import Foundation
import NetKit

/// A form with a file in it (multipart/form-data).
struct NoteUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = Echo

    let path = "post"
    let method: HTTPMethod = .post
    /// The form's text fields; they come before the files.
    let body: RequestBody?
    let files: [any MultipartFile]

    /// The file may be of any size: it is read while it is sent.
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
