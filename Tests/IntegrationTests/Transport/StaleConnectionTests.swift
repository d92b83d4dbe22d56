import Foundation
import NetKit
import NetKitTesting
import Testing

/// A server may close a kept connection at any moment, also just as the next request is on its way.
@Suite("Stale connections", .timeLimit(.minutes(15)))
struct StaleConnectionTests {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path: String
        var method: HTTPMethod = .get
        var body: RequestBody?
    }

    @Test(
        "reports a lost connection for a POST, delivered at most once",
        arguments: [100, 20_000, 500_000],
        MockFault.reusedConnectionFaults
    )
    func post(size: Int, fault: MockFault) async throws {
        let server = try MockServer()
        server.route("POST", "/post") { _ in .text("created") }
        server.route("GET", "/warm") { _ in .text("warm") }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 2)
        let body = Data(repeating: 7, count: size)
        var (rounds, met) = (0, 0)
        // The fault is for kept connections; now and then a fresh one is taken.
        while rounds < 5 || met == 0, !Task.isCancelled {
            rounds += 1
            _ = try await endpoint.value(for: Text(path: "warm"))
            server.clearRequests()
            server.enqueue(.fault(fault))
            let post = Text(path: "post", method: .post, body: .raw(body))
            do {
                _ = try await endpoint.value(for: post)
                #expect(server.requests.last?.indexOnConnection == 0)
            } catch {
                met += 1
                guard case .transport(let transport) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(transport.kind == .connectionLost, "\(error)")
            }
            #expect(server.requests.filter { $0.method == "POST" }.count <= 1)
        }
        #expect(met > 0)
    }

    @Test(
        "delivers a POST or PATCH without a body at most once",
        arguments: [nil, .raw(Data()), .form([])] as [RequestBody?],
        MockFault.reusedConnectionFaults
    )
    func withoutBytes(body: RequestBody?, fault: MockFault) async throws {
        for method in [HTTPMethod.post, .patch, .custom("LIKE")] {
            let server = try MockServer()
            server.route(nil, "/post") { _ in .text("created") }
            server.route("GET", "/warm") { _ in .text("warm") }
            let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 2)
            _ = try await endpoint.value(for: Text(path: "warm"))
            server.clearRequests()
            // It waits for a request on a kept connection, which this one must not be.
            server.enqueue(.fault(fault))
            let request = Text(path: "post", method: method, body: body)
            guard TransportUnderTest.limits.contains(.keptConnectionsWithoutBytes) else {
                // It is lost with its connection, and nobody sends it again unasked.
                let error = await CallStyle.async.outcome(of: request, on: endpoint).error
                #expect(error?.kind == .transport(.connectionLost))
                #expect(server.requests.count + server.incompleteRequests.count <= 1)
                continue
            }
            #expect(try await endpoint.value(for: request) == "created")
            #expect(server.requests.map(\.method) == [method])
            #expect(server.incompleteRequests.isEmpty)
            await eventually { server.openConnectionCount == 1 }
        }
    }

    @Test("resends a GET on a closed idle connection transparently")
    func idleClose() async throws {
        let server = try MockServer()
        server.route("GET", "/warm") { _ in .text("warm") }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        for _ in 0..<20 {
            #expect(try await endpoint.value(for: Text(path: "warm")) == "warm")
            server.closeIdleConnections()
        }
    }

    @Test("resends a POST with consent on a new connection, with one key")
    func consent() async throws {
        let server = try MockServer()
        server.route("POST", "/post") { _ in .text("created") }
        server.route("GET", "/warm") { _ in .text("warm") }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        _ = try await endpoint.value(for: Text(path: "warm"))
        server.clearRequests()
        server.enqueue(.fault(.closeBeforeHead))
        let body = Data(repeating: 9, count: 50_000)
        let post = Text(path: "post", method: .post, body: .raw(body))
        #expect(try await post.execute(on: endpoint, retrying: 1).value == "created")
        let sends = server.requests.filter { $0.method == "POST" }
        #expect(sends.count == 2)
        #expect(sends.allSatisfy { $0.body == body })
        #expect(Set(sends.map { $0.header("Idempotency-Key") }).count == 1)
        #expect(sends.first?.header("Idempotency-Key") != nil)
    }
}
