import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What URLSession has for files that are sent: `uploadTask(with:fromFile:)`.
struct RawUploadTaskClient: FileTransferring {
    private let url: URL
    private let session = TransferSession.make()

    init(baseURL: URL) {
        url = baseURL.appendingPathComponent("upload")
    }

    func transfer(_ file: TransferFile) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 600
        let data = try await withCheckedThrowingContinuation { continuation in
            session.uploadTask(with: request, fromFile: file.url) { data, response, error in
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
        try JSONDecoder().decode(UploadReceipt.self, from: data).check(file)
    }
}
