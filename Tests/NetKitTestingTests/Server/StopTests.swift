import Foundation
import NetKitTesting
import Testing

@Suite("Stopping a mock server", .timeLimit(.minutes(1)), .serialized)
struct StopTests {
    @Test("gives every descriptor back, whatever is under way")
    func descriptors() throws {
        let before = try openDescriptors()
        for round in 0..<100 {
            let server = try MockServer()
            server.route(nil, "/stall") { _ in .fault(.stall) }
            server.route(nil, "/slow") { _ in .text("ok").delayed(by: .seconds(3600)) }
            server.route(nil, "/large") { _ in .data(Data(repeating: 1, count: 10_000_000)) }
            server.route(nil, "/drip") { _ in .text("abcdef").dripping(1, every: .seconds(60)) }
            let clients = try ["/stall", "/slow", "/large", "/drip"]
                .map { path in
                    let client = try RawClient(port: server.port)
                    client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                    return client
                }
            if round % 2 == 0 { _ = clients[2].read { $0.count > 1000 } }
            server.stop()
            #expect(server.openConnections == 0)
            server.stop()
            for client in clients { client.close() }
        }
        #expect(try openDescriptors() <= before)
    }

    @Test("happens also when the server is released")
    func release() throws {
        let before = try openDescriptors()
        var server: MockServer? = try MockServer()
        let port = try #require(server?.port)
        server?.route(nil, "/x") { _ in .text("ok") }
        let client = try RawClient(port: port)
        client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = client.readText(until: "ok")
        server = nil
        #expect(client.read().end == .closed)
        client.close()
        #expect(try openDescriptors() <= before)
        #expect(throws: (any Error).self) { try RawClient(port: port) }
    }

    @Test("can be done by a route")
    func byRoute() throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in
            server.stop()
            return .text("too late")
        }
        let client = try RawClient(port: server.port)
        client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read().bytes.isEmpty)
    }

    @Test("ends what waits")
    func waiting() async throws {
        let server = try MockServer()
        let waiting = Task { try await server.waitForRequests(1, timeout: .seconds(50)) }
        server.stop()
        await #expect(throws: MockServerError.stopped(waitingFor: "1 requests")) {
            try await waiting.value
        }
    }

    private func openDescriptors() throws -> Int {
        #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #else
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        #endif
    }
}
