import Foundation
import NetKitTesting
import Testing

@Suite("Stopping a mock server", .timeLimit(.minutes(15)))
struct StopTests {
    @Test("leaks no descriptors or threads, whatever is in flight")
    func leavesNothing() async {
        // In a process of its own, in which nobody else opens descriptors.
        await #expect(processExitsWith: .success) {
            closeInheritedSockets()
            var before = 0
            var threads = 0
            for round in 0..<110 {
                if round == 10 { before = openDescriptors() }
                let server = try MockServer()
                let clients = try Self.keepBusy(server)
                if round % 2 == 0 { _ = clients[2].read { $0.count > 1000 } }
                if round % 3 == 0 { clients[round % 4].close() }
                server.stop()
                #expect(server.openConnectionCount == 0)
                server.stop()
                for client in clients { client.close() }
                if round == 60 { threads = try Self.threads() }
            }
            #expect(openDescriptors() == before)
            // Dispatch keeps threads for later: there may be some more, not one a round; a busy machine ends them late.
            await eventually { (try? Self.threads()).map { $0 < threads + 25 } ?? false }
            #expect(try Self.threads() < threads + 25)
        }
    }

    @Test("stops when the server is released")
    func release() async {
        await #expect(processExitsWith: .success) {
            closeInheritedSockets()
            let first = try MockServer()
            for client in try Self.keepBusy(first) { client.close() }
            first.stop()
            let before = openDescriptors()
            var server: MockServer? = try MockServer()
            let clients = try server.map { try Self.keepBusy($0) } ?? []
            server = nil
            #expect(clients[0].read().end != .timedOut)
            for client in clients { client.close() }
            // Not by a refused connection: another process may have the port by now.
            #expect(openDescriptors() == before)
        }
    }

    @Test("can be called from a route")
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

    @Test("ends pending waits, and keeps recorded requests")
    func waiting() async throws {
        let server = try MockServer()
        let client = try RawClient(port: server.port)
        client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
        try await server.waitForRequests(1)
        let waiting = Task { try await server.waitForRequests(2, timeout: .seconds(3_600)) }
        server.stop()
        await #expect(throws: MockServerError.stopped(waitingFor: "2 requests")) {
            try await waiting.value
        }
        #expect(try await server.waitForRequests(1).map(\.path) == ["/x"])
    }

    @Test("is safe from many threads while clients come and go")
    func concurrentStop() async throws {
        for _ in 0..<20 {
            let server = try MockServer()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    // Some come too late, which is what this is about.
                    group.addTask { _ = try? Self.keepBusy(server) }
                }
                for _ in 0..<3 { group.addTask { server.stop() } }
            }
            #expect(server.openConnectionCount == 0)
        }
    }

    /// Clients that stall, wait, and are sent more than they read.
    private static func keepBusy(_ server: MockServer) throws -> [RawClient] {
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/slow") { _ in .text("ok").delayed(by: .seconds(3600)) }
        server.route(nil, "/large") { _ in .data(Data(repeating: 1, count: 10_000_000)) }
        server.route(nil, "/drip") { _ in .text("abcdef").dripping(bytes: 1, every: .seconds(60)) }
        return try ["/stall", "/slow", "/large", "/drip"]
            .map { path in
                let client = try RawClient(port: server.port)
                client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                return client
            }
    }

    private static func threads() throws -> Int {
        #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        #else
        0
        #endif
    }
}
