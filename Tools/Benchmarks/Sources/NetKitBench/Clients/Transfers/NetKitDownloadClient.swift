import Foundation
import NetKit

/// NetKit's download, anew each time, with default settings but without retries.
struct NetKitDownloadClient: FileTransferring {
    private let endpoint: Endpoint

    init(baseURL: URL, _ engine: NetKitEngine = .urlSession) {
        endpoint = engine.endpoint(baseURL)
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
