import Foundation
import NetKit

/// A large file, as a server has it.
final class ArchiveRequest: Request {
    /// What it is decoded to does not matter: it is downloaded to a file.
    typealias ResponseObjectType = Void

    let path = "archive"
}

/// A large file, sent in a form.
final class ArchiveUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = Void

    let path = "archive"
    let method: HTTPMethod = .post
    let files: [any MultipartFile]

    init(file: URL) {
        files = [DefaultMultipartFile(resource: file, mime: .binary, fileName: "archive.bin")]
    }
}
