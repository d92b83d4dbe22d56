import Foundation
import NetKit
import NetKitCurl
import NetKitTesting

/// Sends 200 forms over a socket, and writes each received body beside its expected contents.
///
/// Takes an existing folder, and the engine, `urlsession` or `curl`, as its arguments.
@main
struct MultipartForms {
    private static let count = 200

    /// An unexpected request.
    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, ["urlsession", "curl"].contains(arguments[2]) else {
            throw Unexpected(description: "usage: MultipartForms FOLDER urlsession|curl")
        }
        let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let server = try MockServer()
        server.route("POST", "/form") { _ in .status(204) }
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: arguments[2] == "curl" ? CurlTransport() : nil,
            retryingCount: 0
        )
        var generator = SeededGenerator(seed: 7578)
        for number in 0..<count {
            let form = Form.random(using: &generator)
            server.clearRequests()
            try await endpoint.value(for: try form.request(filesIn: files))
            let received = try received(by: server, number)
            let manifest = Manifest(of: form, contentType: received.contentType)
            let name = String(repeating: "0", count: 3 - "\(number)".count) + "\(number)"
            try received.body.write(to: folder.appending(path: "\(name).body"))
            try JSONEncoder().encode(manifest).write(to: folder.appending(path: "\(name).json"))
        }
    }

    private static func received(
        by server: MockServer,
        _ number: Int
    ) throws -> (contentType: String, body: Data) {
        guard server.requests.count == 1, let request = server.requests.first else {
            throw Unexpected(description: "form \(number): \(server.requests.count) requests")
        }
        let types = request.headers(named: "Content-Type")
        guard types.count == 1, let contentType = types.first else {
            throw Unexpected(description: "form \(number): Content-Type \(types)")
        }
        let lengths = request.headers(named: "Content-Length")
        guard lengths == ["\(request.body.count)"] else {
            throw Unexpected(
                description:
                    "form \(number): Content-Length \(lengths), \(request.body.count) bytes"
            )
        }
        return (contentType, request.body)
    }
}
