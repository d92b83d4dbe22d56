import Foundation
import NetKit
import NetKitAsyncHTTPClient
import Testing

@Suite("nginx over TLS", .needs(.nginxTLS), .timeLimit(.minutes(10)))
struct NginxTLSTests {
    @Test("speaks HTTP/2, and HTTP/1.1 if it has nothing newer", arguments: Engine.overTLS)
    func versions(engine: Engine) async throws {
        let new = try await engine.endpoint(.nginxTLS).value(for: ProtocolRequest())
        #expect(new == "HTTP/2.0")
        let old = try await engine.endpoint(.nginxOld).value(for: ProtocolRequest())
        #expect(old == "HTTP/1.1")
    }

    @Test("answers 20 concurrent requests over HTTP/2", arguments: Engine.overTLS)
    func parallel(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginxTLS)
        let requests = (0..<40).map { RangeRequest("bytes=\($0 * 50_000)-\($0 * 50_000 + 49_999)") }
        let parts = await endpoint.values(for: requests, maximumConcurrentRequests: 20)
        let whole = try await endpoint.value(for: LargeFileRequest())
        #expect(try parts.map { try $0.get() }.reduce(Data(), +) == whole.prefix(2_000_000))
    }

    @Test("redirects, compresses and rejects over HTTP/2", arguments: Engine.overTLS)
    func exchanges(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginxTLS)
        let again = MovedRequest(path: "again", method: .put, body: .string("hello"))
        #expect(try await endpoint.value(for: again) == "PUT 5")
        let text = try await endpoint.value(for: LinesRequest())
        #expect(text.hasSuffix("line 19999 of a text that compresses well\n"))
        let error = try await failure(of: RefusedRequest(path: "nowhere"), on: endpoint)
        #expect(error.statusCode == 404)
        let head = try await endpoint.response(for: HelloHeadRequest())
        #expect(head.http.body.isEmpty)
    }

    // Over URLSession such a call can be lost: see "Limits on Linux".
    @Test(
        "rejects an upload over HTTP/2 before it is complete",
        arguments: [.curl, .asyncHTTPClient] as [Engine]
    )
    func earlyAnswer(engine: Engine) async throws {
        let endpoint = try engine.endpoint(.nginxTLS)
        let error = try await failure(of: TooLargeUpload(bytes: 16 << 20), on: endpoint)
        #expect(error.statusCode == 413)
    }

    @Test(
        "is refused if its authority isn't trusted",
        arguments: [.curl, .asyncHTTPClient] as [Engine]
    )
    func strangers(engine: Engine) async throws {
        let file = URL(fileURLWithPath: try #require(setting("NETKIT_STRANGER")))
        let endpoint = Endpoint(
            baseURL: try RealServer.nginxTLS.url,
            transport: try engine.transport(trusting: file)
        )
        let error = try await failure(of: ProtocolRequest(), on: endpoint)
        #expect(error.transportKind == .secureConnection)
    }
}
