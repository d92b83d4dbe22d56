import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Call without a response", .timeLimit(.minutes(15)))
struct TransportErrorScenarios {
    private func failure(at base: String, _ style: CallStyle) async throws -> FailureKind? {
        let url = try #require(URL(string: base))
        let endpoint = testEndpoint(baseURL: url, retryingCount: 0)
        return await style.outcome(of: TextRequest(path: "x"), on: endpoint).error?.kind
    }

    /// A port at which nobody listens.
    @Test("reports a refused connection", arguments: CallStyle.allCases)
    func refused(style: CallStyle) async throws {
        #expect(try await failure(at: "http://127.0.0.1:1", style) == .transport(.cannotConnect))
    }

    /// A name that no resolver has to be asked for: its label is too long for DNS.
    @Test("reports a host that can't be resolved", arguments: CallStyle.allCases)
    func unknownHost(style: CallStyle) async throws {
        let label = String(repeating: "a", count: 64)
        let failure = try await failure(at: "http://\(label).invalid", style)
        #expect(failure == .transport(.cannotFindHost))
    }

    /// Every way in which a response can be lost has a case of its own.
    @Test(
        "reports how the response was lost",
        arguments: [
            (MockResponse.fault(.closeBeforeHead), TransportError.Kind.connectionLost),
            (.fault(.resetBeforeHead), .connectionLost),
            (.text("0123456789").cutting(afterBodyBytes: 4), .truncatedResponse),
            (.raw(Data("no HTTP at all\r\n\r\n".utf8)), .malformedResponse),
        ],
        CallStyle.allCases
    )
    func lost(
        loss: (response: MockResponse, kind: TransportError.Kind),
        style: CallStyle
    )
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        let response = loss.response
        server.route(nil, "/x") { _ in response }
        let failure = try await failure(at: "\(server.baseURL)", style)
        #expect(failure == .transport(loss.kind))
        #expect(server.requests.count == 1)
    }

    /// A body above the limit is a failure of its own as well.
    @Test("reports a response above the size limit", arguments: CallStyle.allCases)
    func tooLarge(style: CallStyle) async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(nil, "/x") { _ in .text("0123456789") }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.maximumResponseSize = 10
        #expect(await style.outcome(of: TextRequest(path: "x"), on: endpoint).value == "0123456789")
        endpoint.maximumResponseSize = 9
        let error = await style.outcome(of: TextRequest(path: "x"), on: endpoint).error
        #expect(error?.kind == .transport(.responseTooLarge))
        #expect(error?.message == "response larger than 9 bytes (Endpoint.maximumResponseSize)")
    }
}
