import Foundation
import NetKit
import NetKitHAR
import NetKitTesting

/// Makes calls of all kinds over a socket, and records the exchanges with and without redaction.
///
/// Takes an existing folder as its argument.
@main
struct HARLog {
    private struct Usage: Error {}
    private typealias Bytes = DefaultRequest<Data, ServerMessage>

    private struct NoteUpload: MultipartFormDataRequest {
        typealias ResponseObjectType = Data
        let path = "users/note"
        let method: HTTPMethod = .post
        let files: [any MultipartFile] = [
            DefaultMultipartFile(
                resource: Data([0, 1, 0xFF]),
                mime: .binary,
                name: "file",
                fileName: "ä.bin"
            )
        ]
    }

    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { throw Usage() }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        let server = try MockServer()
        server.addHTTPBinRoutes()
        // Routes that echo a request would repeat its secrets without their names.
        server.route(nil, "/users/*") { request in
            .json(text: #"{"id": 1, "refresh_token": "s3cret", "bytes": \#(request.bodyLength)}"#)
        }
        server.route("GET", "/set") { _ in
            .text("set").header("Set-Cookie", "sid=s3cret; Path=/; HttpOnly")
        }
        server.route("GET", "/cut") { _ in .text("half of it").cutting(afterBodyBytes: 4) }
        server.route("GET", "/gone") { _ in .fault(.resetBeforeHead) }
        server.route("GET", "/drip") { _ in
            .text("0123456789").dripping(bytes: 1, every: .milliseconds(2))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, retryingCount: 1)
        endpoint.retryPolicy.backoff = .none
        let redacted = HARRecorder(redaction: Redaction(showsFields: true), bodyLimit: 100_000)
        let whole = HARRecorder(redaction: .none)
        endpoint.observation.registerExchanges { redacted.record($0) }
        endpoint.observation.registerExchanges { whole.record($0) }

        for try await _ in try await endpoint.stream(Bytes(path: "drip")) {}
        // A stream ends for its reader before observers are notified.
        while redacted.har.count == 0 || whole.har.count == 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
        for request in requests {
            // The log has the outcome.
            _ = try? await endpoint.value(for: request)
        }
        _ = try? await endpoint.value(for: NoteUpload())
        let file = folder.appending(path: "download")
        _ = try? await endpoint.value(for: Bytes(path: "bytes/1000").download(to: file))
        try redacted.write(to: folder.appending(path: "redacted.har"))
        try whole.write(to: folder.appending(path: "whole.har"))
        try HAR().write(to: folder.appending(path: "empty.har"))
    }

    private static let requests: [Bytes] = [
        Bytes(path: "users/1", queryParams: [("q", "a b&ü"), ("access_token", "s3cret")]),
        Bytes(
            path: "users/1",
            headers: [.cookie: "sid=s3cret; b=2", .authorization: "Bearer s3cret"]
        ),
        Bytes(path: "users/1", method: .post, body: .params(["password": "s3cret", "name": "ä"])),
        Bytes(
            path: "users/1",
            method: .put,
            body: .form([("a", "1"), ("a", "&="), ("password", "s3cret")])
        ),
        Bytes(path: "users/1", method: .patch, body: .raw(Data([0xFF, 0, 1]))),
        Bytes(path: "users/1", method: .delete),
        Bytes(
            path: "users/1",
            method: .post,
            body: .string(String(repeating: "é", count: 60_001))
        ),
        Bytes(path: "get", method: .head),
        Bytes(path: "status/404"),
        Bytes(path: "status/503"),
        Bytes(path: "redirect/2"),
        Bytes(path: "bytes/1000"),
        Bytes(path: "gzip"),
        Bytes(path: "set"),
        Bytes(path: "cut"),
        Bytes(path: "gone"),
    ]
}
