import Foundation
import NetKit
import NetKitAsyncHTTPClient

/// NetKit's download, anew each time, with default settings but without retries.
struct NetKitDownloadClient: FileTransferring {
    private let endpoint: Endpoint

    init(baseURL: URL) {
        endpoint = Endpoint(baseURL: baseURL, retryingCount: 0)
    }

    init(overAsyncHTTPClient baseURL: URL) {
        endpoint = Endpoint(
            baseURL: baseURL,
            transport: AsyncHTTPClientTransport(),
            retryingCount: 0
        )
    }

    func transfer(_ file: TransferFile) async throws {
        let content = ContentRequest(path: "content/\(file.length)")
        _ = try await endpoint.value(for: content.download(to: file.url, resuming: false))
    }
}

private struct ContentRequest: Request {
    typealias ResponseObjectType = Data

    let path: String
}
