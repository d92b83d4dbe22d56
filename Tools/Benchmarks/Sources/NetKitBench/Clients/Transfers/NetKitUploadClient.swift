import Foundation
import NetKit

/// NetKit's two ways to send a file, with default settings but without retries.
struct NetKitUploadClient: FileTransferring {
    /// What the request's body is.
    enum Form {
        case file
        case multipart
    }

    private let endpoint: Endpoint
    private let form: Form

    init(baseURL: URL, _ form: Form, _ engine: NetKitEngine = .urlSession) {
        endpoint = engine.endpoint(baseURL)
        self.form = form
    }

    func transfer(_ file: TransferFile) async throws {
        switch form {
        case .file:
            try await endpoint.value(for: FileUpload(body: .file(file.url))).check(file)
        case .multipart:
            let part = DefaultMultipartFile(
                resource: file.url,
                mime: .binary,
                name: "file",
                fileName: file.url.lastPathComponent
            )
            let upload = DefaultMultipartFormDataRequest<UploadReceipt, ServerMessage>(
                path: "upload",
                files: [part]
            )
            try await endpoint.value(for: upload).check(file, isWrapped: true)
        }
    }
}

private struct FileUpload: Request {
    typealias ResponseObjectType = UploadReceipt

    let path = "upload"
    let method: HTTPMethod = .post
    let body: RequestBody?
}
