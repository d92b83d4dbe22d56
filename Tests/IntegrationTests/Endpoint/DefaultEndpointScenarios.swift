import Foundation
import NetKit
import NetKitTesting
import Testing

/// The default endpoint is one for the whole process, so these run one after the other.
@Suite("Default endpoint", .serialized, .timeLimit(.minutes(15)))
struct DefaultEndpointScenarios {
    private let servers: [MockServer]
    private let endpoints: [Endpoint]

    init() throws {
        servers = try (0..<3)
            .map { number in
                let server = try MockServer()
                server.route(nil, "/x") { _ in .text("\(number)") }
                return server
            }
        endpoints = servers.map { testEndpoint(baseURL: $0.baseURL, retryingCount: 0) }
        Endpoint.default = nil
    }

    /// Without an endpoint the call fails, once, with an error that can be matched.
    @Test("fails a call without any endpoint as missing")
    func missing() async throws {
        let journal = Journal()
        let operation = TextRequest(path: "x").execute()
            .onSuccess { _ in journal.note("success") }
            .onDebug { journal.note("debug \($0.request == nil && $0.errorResponse != nil)") }
            .onFail { journal.note("\($0.kind == .invalidRequest(.missingEndpoint))") }
        #expect(await outcome(of: operation).error?.kind == .invalidRequest(.missingEndpoint))
        operation.onFail { _ in journal.end() }
        #expect(await journal.entries == ["debug true", "true"])
        do {
            _ = try await TextRequest(path: "x").execute().value
            Issue.record("no endpoint, and yet a value")
        } catch {
            #expect(error.kind == .invalidRequest(.missingEndpoint))
        }
    }

    /// The default serves requests that name no endpoint; what is nearer beats it.
    @Test("yields to the request's endpoint, and both to an explicit one")
    func precedence() async throws {
        endpoints[0].useAsDefault()
        defer { Endpoint.default = nil }
        #expect(Endpoint.default === endpoints[0])
        let plain = TextRequest(path: "x")
        let own = TextRequest(path: "x", endpoint: endpoints[1])
        #expect(await outcome(of: plain.execute()).value == "0")
        #expect(try await plain.execute().value == "0")
        #expect(await outcome(of: own.execute()).value == "1")
        #expect(await outcome(of: own.execute(on: endpoints[2])).value == "2")
        #expect(await outcome(of: endpoints[2].execute(own)).value == "2")
        #expect(try await endpoints[2].value(for: own) == "2")
        #expect(await outcome(of: own.execute(on: nil, retrying: 0)).value == "1")
        #expect(await outcome(of: plain.execute(on: nil, retrying: 0)).value == "0")
    }

    /// Another default serves the next request.
    @Test("can be replaced and restored")
    func change() async throws {
        defer { Endpoint.default = nil }
        let request = TextRequest(path: "x")
        endpoints[0].useAsDefault()
        #expect(try await request.execute().value == "0")
        endpoints[1].useAsDefault()
        #expect(try await request.execute().value == "1")
        Endpoint.default = nil
        #expect(
            await outcome(of: request.execute()).error?.kind == .invalidRequest(.missingEndpoint)
        )
    }

    /// A whole address needs no endpoint, and keeps its own query.
    @Test("isn't required for an absolute URL")
    func addressed() async throws {
        let url = try #require(URL(string: "\(servers[1].baseURL)/x?own=1"))
        let request = DefaultRequest<String, String?>(
            path: url.absoluteString,
            headers: ["X-Trace": "t"]
        )
        #expect(try await request.execute().value == "1")
        #expect(await outcome(of: request.execute(on: nil, retrying: 0)).value == "1")
        #expect(servers[1].requests.map(\.target) == ["/x?own=1", "/x?own=1"])
        #expect(servers[1].requests.first?.header("X-Trace") == "t")
        // With a default endpoint it is that one's, though its credentials stay behind.
        endpoints[0].headers.authToken = .bearer("secret")
        endpoints[0].useAsDefault()
        defer { Endpoint.default = nil }
        #expect(try await request.execute().value == "1")
        #expect(servers[1].requests.last?.header("Authorization") == nil)
    }
}
