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

    @Test("a cancelled call closes its connection within 50 milliseconds, and fails at once")
    func reachesTheWire() async throws {
        let server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        let limit = Duration.milliseconds(50)
        var (failure, closing) = (Duration.seconds(60), Duration.seconds(60))
        // Most of them may meet a busy machine; the fastest says what NetKit itself takes.
        for _ in 0..<300 where failure >= limit || closing >= limit {
            let task = Task { try await endpoint.value(for: Text(path: "stall")) }
            let seen = server.requests.count + 1
            _ = try await server.waitForRequests(seen)
            let cancelled = ContinuousClock.now
            task.cancel()
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await task.value }
            failure = min(failure, ContinuousClock.now - cancelled)
            await eventually { server.openConnections == 0 }
            #expect(server.openConnections == 0)
            closing = min(closing, ContinuousClock.now - cancelled)
        }
        #expect(failure < limit)
        #expect(closing < limit)
    }

    @Test("a call that waits for a connection is cancelled without being sent")
    func whileQueued() async throws {
        let server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 1
        let endpoint = testEndpoint(baseURL: server.baseURL, sessionConfiguration: configuration)
        let first = endpoint.execute(Text(path: "stall"))
        _ = try await server.waitForRequests(1)
        let second = endpoint.execute(Text(path: "stall"))
        try await Task.sleep(for: .milliseconds(30))
        second.cancel()
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await second.value }
        #expect(server.requests.count == 1)
        first.cancel()
        await #expect(throws: ErrorResponse<ServerMessage>.self) { try await first.value }
    }

    @Test("a cancel in onStart keeps the request off the wire, however busy the machine")
    func inOnStart() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("sent") }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        let queue = DispatchQueue(label: "callbacks")
        for _ in 0..<400 {
            let isCancelled = await withCheckedContinuation { done in
                _ = endpoint.execute(Text(path: "x"))
                    .responseOn(queue)
                    .retryOnFail(false)
                    .onStart { $0.cancel() }
                    .onSuccess { _ in done.resume(returning: false) }
                    .onFail { error in
                        if case .cancelled = error {
                            done.resume(returning: true)
                        } else {
                            done.resume(returning: false)
                        }
                    }
            }
            #expect(isCancelled)
        }
        #expect(server.requests.isEmpty)
        #expect(server.incompleteRequests.isEmpty)
    }

    @Test("a call that nobody listens to is sent all the same")
    func unheard() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("sent") }
        Text(path: "x").execute(on: testEndpoint(baseURL: server.baseURL))
        _ = try await server.waitForRequests(1)
    }

    @Test("a cancel around a redirect ends the call and not the process")
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

    @Test("cancelling all ends those under way and those that wait, and no later one")
    func all() async throws {
        let server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/ok") { _ in .text("ok") }
        let endpoint = testEndpoint(baseURL: server.baseURL)
        let operations = (0..<10).map { _ in endpoint.execute(Text(path: "stall")) }
        _ = try await server.waitForRequests(6)
        endpoint.cancelAllRequests()
        for operation in operations {
            do {
                _ = try await operation.value
                Issue.record("not cancelled")
            } catch {
                guard case .cancelled = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
        #expect(try await endpoint.value(for: Text(path: "ok")) == "ok")
    }
}
