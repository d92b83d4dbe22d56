import Foundation
import NetKit
import NetKitTus

/// A resumable upload.
struct TusCommand: Decodable {
    let engine: Engine
    /// The base URL of the endpoint.
    let base: URL
    let path: String
    /// The path of the file.
    let file: String
    let chunk: Int64
    /// The name of the algorithm.
    let checksum: String?
    /// How often a request is repeated; nil for as long as a server takes to start again.
    let retries: Int?
    let metadata: [String: String]

    /// Uploads the file, and returns the server's URL of the upload.
    func url() async throws -> String {
        let endpoint = Endpoint(
            baseURL: base,
            transport: try engine.transport()
        )
        // A server that is started again takes seconds.
        endpoint.retryPolicy = RetryPolicy(
            maximumRetries: retries ?? 300,
            backoff: .constant(.milliseconds(100))
        )
        endpoint.retryPolicy.hasBudget = false
        var upload = TusUpload(URL(fileURLWithPath: file), to: path, metadata: metadata)
        upload.chunkSize = chunk
        if let checksum {
            guard let algorithm = TusUpload.Checksum(rawValue: checksum) else {
                throw DriverError(kind: "command", message: "there is no checksum \(checksum)")
            }
            upload.checksum = algorithm
        }
        do {
            return try await upload.send(on: endpoint).absoluteString
        } catch {
            throw DriverError(kind: "tus", message: "\(error)")
        }
    }
}
