import Foundation
import NetKitCache
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitHAR

@Suite("HAR of an endpoint's exchanges", .timeLimit(.minutes(15)))
struct HARScenarios {
    private let server: MockServer
    private let endpoint: Endpoint
    private let recorder = HARRecorder(
        redaction: Redaction(showsFields: true, wholeBodies: ["text/plain"])
    )

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.url("/v1"), retryingCount: 1)
        endpoint.retryPolicy.backoff = .none
        let recorder = recorder
        endpoint.observation.registerExchanges { recorder.record($0) }
    }

    @Test("has an entry for each redirect, attempt and failure, in order")
    func entries() async throws {
        server.route("GET", "/v1/from") { _ in .redirect(to: "/v1/to?access_token=s3cret") }
        server.enqueue(.fault(.closeBeforeHead))
        server.route("GET", "/v1/to") { _ in .text("arrived") }
        #expect(try await endpoint.value(for: TextRequest(path: "from")) == "arrived")
        let entries = recorder.har.entries
        #expect(entries.map(\.response.status) == [0, 302, 200])
        #expect(entries.map { $0.request.url.suffix(8) }.last == "redacted")
        #expect(entries[1].response.redirectURL == "/v1/to?access_token=redacted")
        #expect(entries[0].response.error != nil)
        #expect(entries.last?.response.content.text == "arrived")
        #expect(entries.allSatisfy { $0.time == $0.timings.sum && $0.timings.wait >= 0 })
    }

    @Test("redacts by the endpoint's and the request's rules, and stays readable")
    func secrets() async throws {
        server.route("POST", "/v1/login/facebook") { _ in
            .json(text: #"{"id": 7, "session": "s3cret"}"#).header("Set-Cookie", "a=s3cret")
        }
        server.route("GET", "/v1/me") { _ in
            .text("me").header("ETag", "\"s3cret\"").header("Cache-Control", "max-age=60")
        }
        endpoint.redaction = Redaction(headers: ["X-Tenant", "ETag"], bodyFields: ["token"])
        endpoint.cache = .memory()
        endpoint.headers["X-Tenant"] = "s3cret"
        endpoint.headers.authToken = .bearer("s3cret")
        _ = try await endpoint.value(for: LoginRequest(token: "s3cret"))
        for _ in 0..<2 { _ = try await endpoint.value(for: TextRequest(path: "me")) }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        try recorder.write(to: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        let har = try HAR(contentsOf: file)
        #expect(har.entries.last?.cache.beforeRequest?.eTag == Redaction.mark)
        let entry = try #require(har.entries.first)
        #expect(entry.request.headers.contains(HAR.Field("Authorization", Redaction.mark)))
        #expect(entry.response.content.text?.contains(#""id": 7"#) == true)
    }

    @Test("records the size of a download without its body")
    func download() async throws {
        server.route("GET", "/v1/file") { _ in .chunked([Data("some".utf8), Data("thing".utf8)]) }
        server.route("GET", "/v1/empty") { _ in .chunked([]) }
        let folder = try TemporaryFolder()
        for path in ["file", "empty"] {
            _ = try await endpoint.value(
                for: TextRequest(path: path).download(to: folder.file(path))
            )
        }
        let contents = recorder.har.entries.map(\.response.content)
        #expect(contents.map(\.size) == [9, 0])
        #expect(contents.map(\.isTruncated) == [true, false])
    }

    @Test("forgets its exchanges on request, and records on")
    func removing() async throws {
        for path in ["one", "two"] {
            server.enqueue(.text(path))
            #expect(try await endpoint.value(for: TextRequest(path: path)) == path)
            #expect(recorder.har.entries.map { $0.request.url.hasSuffix(path) } == [true])
            recorder.removeAll()
            #expect(recorder.har.entries.isEmpty)
        }
    }

    @Test("replays without the server")
    func replay() async throws {
        server.route("POST", "/v1/login/facebook") { _ in .json(text: #"{"id": 7}"#) }
        server.route("GET", "/v1/from") { _ in .redirect(to: "/v1/to") }
        server.route("GET", "/v1/to") { _ in .gzip(Data("arrived".utf8), contentType: "text/plain")
        }
        func run(_ endpoint: Endpoint) async throws -> [String] {
            [
                "\(try await endpoint.value(for: LoginRequest(token: "t")).id)",
                try await endpoint.value(for: TextRequest(path: "from")),
            ]
        }
        let live = try await run(endpoint)
        server.stop()
        let replay = ReplayTransport(recorder.har)
        let again = Endpoint(baseURL: endpoint.baseURL, transport: replay, retryingCount: 0)
        #expect(try await run(again) == live)
        #expect(live == ["7", "arrived"])
        #expect(replay.unusedRequests.isEmpty)
    }
}
