import Foundation
import NetKit

/// NetKit's multipart request, made for each call from the parts.
struct NetKitPartsClient: FormSending {
    private let endpoint: Endpoint
    private let form: PartsForm

    init(_ form: PartsForm, baseURL: URL, _ engine: NetKitEngine) {
        endpoint = engine.endpoint(baseURL)
        self.form = form
    }

    func send() async throws -> UploadReceipt {
        let files = form.parts.map { part in
            DefaultMultipartFile(
                resource: part.content,
                mime: .plainText,
                name: part.name,
                fileName: part.fileName
            )
        }
        return try await endpoint.value(
            for: DefaultMultipartFormDataRequest<UploadReceipt, ServerMessage>(
                path: "upload",
                files: files
            )
        )
    }
}
