import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// AsyncHTTPClient's own way to write a response to a file.
struct AsyncHTTPClientDownloadClient: FileTransferring {
    private let baseURL: URL
    private let client = HTTPClient.measured()

    init(baseURL: URL) {
        self.baseURL = baseURL
    }

    func transfer(_ file: TransferFile) async throws {
        let url = baseURL.appendingPathComponent("content/\(file.length)").absoluteString
        let request = try HTTPClient.Request(url: url)
        let delegate = try FileDownloadDelegate(path: file.url.path)
        let progress = try await client.execute(request: request, delegate: delegate).get()
        guard progress.head.status == .ok else {
            throw WrongAnswer.status(Int(progress.head.status.code))
        }
    }
}
