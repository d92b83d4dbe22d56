import Foundation
import NetKit
import Testing

/// A client of a container registry.
struct Registry {
    let endpoint: Endpoint
    let repository: String

    /// Pushes a blob in parts of a size, and gives its digest.
    func push(_ blob: Data, partSize: Int = .max) async throws -> String {
        let digest = "sha256:" + sha256(blob).hexadecimal
        let start = try await endpoint.response(for: StartUploadRequest(to: repository))
        var location = try location(of: start)
        var first = 0
        while blob.count - first > partSize {
            let part = blob[first..<(first + partSize)]
            let sent = try await endpoint.response(
                for: UploadChunkRequest(part, from: first, to: location)
            )
            #expect(sent.http.status == .accepted)
            location = try self.location(of: sent)
            first += partSize
            #expect(sent.http.headers[.range] == "0-\(first - 1)")
        }
        let end = try await endpoint.response(
            for: FinishUploadRequest(blob[first...], digest: digest, to: location)
        )
        #expect(end.http.status == .created)
        #expect(end.http.headers["Docker-Content-Digest"] == digest)
        return digest
    }

    private func location<Value>(of response: Response<Value>) throws -> URL {
        let field = try #require(response.http.headers[.location])
        return try #require(URL(string: field, relativeTo: response.http.url)?.absoluteURL)
    }
}
