import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `uploadTask(with:from:completionHandler:)` of bytes that were made before: what a form costs at least
/// on URLSession.
struct RawUploadDataClient: FormSending {
    private let url: URL
    private let body: Data
    private let session = URLSession(configuration: .tuned)
    private let decoder = JSONDecoder()

    init(_ form: PartsForm, baseURL: URL) {
        url = baseURL.appendingPathComponent("upload")
        body = form.body
    }

    func send() async throws -> UploadReceipt {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue(
            "multipart/form-data; boundary=\(PartsForm.boundary)",
            forHTTPHeaderField: "Content-Type"
        )
        let data = try await withCheckedThrowingContinuation { continuation in
            session.uploadTask(with: request, from: body) { data, response, error in
                continuation.resume(
                    with: Result {
                        if let error { throw error }
                        try TransferSession.check(response)
                        return data ?? Data()
                    }
                )
            }
            .resume()
        }
        return try decoder.decode(UploadReceipt.self, from: data)
    }
}
