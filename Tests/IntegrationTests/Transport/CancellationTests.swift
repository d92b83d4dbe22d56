import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cancellation on the wire", .timeLimit(.minutes(15)))
struct CancellationTests {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path: String
    }

    @Test("closes the connection of a cancelled call whose server never responds")
    func reachesTheWire() async throws {
        let server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        for number in 1...20 {
            let operation = endpoint.execute(Text(path: "stall"))
            _ = try await server.waitForRequests(number)
            operation.cancel()
            #expect(await operation.failure?.kind == .cancelled)
            try await server.waitUntilDisconnected()
        }
        #expect(server.connectionEvents.filter { $0.kind == .clientClosed }.count == 20)
    }

    @Test("cancels a queued call without sending it")
    func whileQueued() async throws {
        let server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 1
        let endpoint = testEndpoint(baseURL: server.baseURL, sessionConfiguration: configuration)
        let first = endpoint.execute(Text(path: "stall"))
        _ = try await server.waitForRequests(1)
        // At different moments on its way to its place in the queue, most of them in it.
        for yields in 0..<20 {
            let second = endpoint.execute(Text(path: "stall")).onFail { _ in }
            for _ in 0..<yields { await Task.yield() }
            second.cancel()
            #expect(await second.failure?.kind == .cancelled)
        }
        #expect(server.requests.count == 1)
        first.cancel()
        #expect(await first.failure?.kind == .cancelled)
    }

    @Test("keeps a request cancelled in onStart off the wire, however busy the machine")
    func inOnStart() async throws {
        let server = try MockServer()
        server.route(nil, "/*") { _ in .text("sent") }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        let queue = DispatchQueue(label: "callbacks")
        var rounds = 0
        // A late round's request may arrive during a later round.
        var latePaths: Set<String> = []
        while rounds < 400 {
            let path = "/\(rounds)-\(latePaths.count)"
            let start = ContinuousClock.now
            let operation = endpoint.execute(Text(path: path))
                .responseOn(queue)
                .retryOnFail(false)
                .onStart { $0.cancel() }
                .onFail { _ in }
            // What is promised holds for closures that come within 50 milliseconds.
            let isInTime = ContinuousClock.now - start < .milliseconds(50)
            let failure = await operation.failure
            guard isInTime else {
                latePaths.insert(path)
                continue
            }
            rounds += 1
            #expect(failure?.kind == .cancelled)
            #expect(!server.requests.contains { $0.path == path })
        }
        #expect(latePaths.isSuperset(of: server.requests.map(\.path)))
        #expect(latePaths.isSuperset(of: server.incompleteRequests.map(\.path)))
    }

    @Test("sends a call without handlers")
    func unheard() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("sent") }
        Text(path: "x").execute(on: testEndpoint(baseURL: server.baseURL))
        _ = try await server.waitForRequests(1)
    }

    @Test("survives a cancel during a redirect")
    func aroundRedirects() async throws {
        let server = try MockServer()
        server.recordsRequests = false
        server.route(nil, "/a") { _ in .redirect(to: "/b") }
        server.route(nil, "/b") { _ in .redirect(to: "/c") }
        server.route(nil, "/c") { _ in .text("end") }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<250 {
                        let operation = endpoint.execute(Text(path: "a"))
                        try? await Task.sleep(for: .microseconds(Int64.random(in: 0...3_000)))
                        operation.cancel()
                        _ = try? await operation.value
                    }
                }
            }
        }
        #expect(try await endpoint.value(for: Text(path: "a")) == "end")
    }

    @Test("cancels all calls in flight and queued, and no later ones")
    func all() async throws {
        let server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/ok") { _ in .text("ok") }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        let operations = (0..<10).map { _ in endpoint.execute(Text(path: "stall")) }
        _ = try await server.waitForRequests(6)
        endpoint.cancelAllRequests()
        for operation in operations { #expect(await operation.failure?.kind == .cancelled) }
        #expect(try await endpoint.value(for: Text(path: "ok")) == "ok")
    }
}
