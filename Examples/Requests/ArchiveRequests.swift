import Foundation
import NetKit

/// Requests a large file.
final class ArchiveRequest: Request {
    /// `Void`, because the body goes to a file.
    typealias ResponseObjectType = Void

    let path = "archive"
}

/// Uploads a large file in a form.
final class ArchiveUpload: MultipartFormDataRequest {
    typealias ResponseObjectType = Void

    let path = "archive"
    let method: HTTPMethod = .post
    let files: [any MultipartFile]

    init(file: URL) {
        files = [DefaultMultipartFile(resource: file, mime: .binary, fileName: "archive.bin")]
    }
}
