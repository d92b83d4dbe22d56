import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    "curl commands run by a shell",
    .timeLimit(.minutes(15)),
    .enabled(if: RealCURL.isThere)
)
struct CURLScenarios {
    /// What has to be the same, of a request as it arrived.
    private struct Arrived: Equatable, CustomStringConvertible {
        let line: String
        let fields: [String]
        let body: Data
        let parts: [[String]]

        init(_ request: RecordedRequest, fields names: [String]) {
            line = "\(request.method) \(request.target)"
            let isForm = request.header("Content-Type")?.hasPrefix("multipart/") == true
            fields = (names + (isForm ? [] : ["content-type"])).sorted()
                .map { "\($0): \(request.headers(named: $0))" }
            // Each has boundaries of its own.
            body = isForm ? Data() : request.body
            parts = (isForm ? request.multipart : [])
                .map { part in
                    [
                        part.name ?? "", part.fileName ?? "", part.contentType ?? "",
                        part.body.base64EncodedString(),
                    ]
                }
        }

        var description: String {
            "\(line)\n\(fields)\n\(String(decoding: body, as: UTF8.self))\n\(parts)"
        }
    }

    @Test("sends the same method, target, header fields and body as NetKit")
    func generated() async throws {
        let folder = try TemporaryFolder()
        let server = try MockServer()
        server.route(nil, "/*") { _ in .status(200) }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        var count = 0
        for seed in 0..<110 as Range<UInt64> {
            let request = try GeneratedRequest.make(seed: seed, in: folder)
            if try await check(request, on: endpoint, server, in: folder) { count += 1 }
        }
        #expect(count >= 100)
    }

    /// Sends a request both ways and compares what arrived.
    ///
    /// - Returns: False for one that curl's options cannot say: a form with a file, and with two binary parts or a
    ///   name that curl cannot have.
    private func check(
        _ request: some Request<Void, ServerMessage>,
        on endpoint: Endpoint,
        _ server: MockServer,
        in folder: TemporaryFolder
    ) async throws -> Bool {
        let command = try endpoint.cURL(for: request, redacting: .none)
        if command.contains("# without") { return false }
        let fields = try endpoint.urlRequest(for: request).allHTTPHeaderFields ?? [:]
        let names = fields.keys.filter { $0.lowercased() != "content-type" }
        let before = server.requests.count
        try await endpoint.value(for: request)
        #expect(try await RealCURL.run(command, in: folder) == 0, "\(command)")
        let arrived = server.requests.dropFirst(before).map { Arrived($0, fields: names) }
        try #require(arrived.count == 2, "\(command)")
        #expect(arrived[1] == arrived[0], "\(command)")
        return true
    }
}
