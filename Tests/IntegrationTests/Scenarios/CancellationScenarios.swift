import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cancellation", .timeLimit(.minutes(15)))
struct CancellationScenarios {
    private let server: MockServer
    private let endpoint: Endpoint
    private let stall = TextRequest(path: "stall")

    init() throws {
        server = try MockServer()
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/ok") { _ in .text("ok") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// An endpoint whose one connection is taken, so that a call cannot be sent before it is cancelled.
    private func occupiedEndpoint() async throws -> (
        Endpoint, RequestExecutionOperation<TextRequest>
    ) {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 1
        let endpoint = testEndpoint(
            baseURL: server.baseURL,
            sessionConfiguration: configuration,
            retryingCount: 0
        )
        let first = endpoint.execute(stall)
        _ = try await server.waitForRequests(1)
        return (endpoint, first)
    }

    /// A cancel in `onStart` is in time.
    @Test("prevents the request when cancelled in onStart")
    func inOnStart() async throws {
        let (endpoint, first) = try await occupiedEndpoint()
        let journal = Journal()
        let operation = endpoint.execute(TextRequest(path: "ok"))
            .onStart { $0.cancel() }
            .onSuccess { _ in journal.note("success") }
            .onFail { journal.note("\($0.kind)") }
        #expect(await outcome(of: operation).error?.kind == .cancelled)
        operation.onFail { _ in journal.end() }
        #expect(await journal.entries == ["cancelled"])

        first.cancel()
        #expect(
            try await endpoint.value(for: TextRequest(path: "ok", queryParams: [("n", "2")]))
                == "ok"
        )
        #expect(server.requests.map(\.target) == ["/stall", "/ok?n=2"])
    }

    /// A cancel right behind the start is not lost.
    @Test("prevents the request when cancelled right after the call")
    func atOnce() async throws {
        let (endpoint, first) = try await occupiedEndpoint()
        for style in 0..<2 {
            let operation = endpoint.execute(TextRequest(path: "ok"))
            operation.cancel()
            operation.cancel()
            if style == 0 {
                #expect(await outcome(of: operation).error?.kind == .cancelled)
            } else {
                #expect(await operation.failure?.kind == .cancelled)
            }
        }
        first.cancel()
        #expect(await outcome(of: first).error?.kind == .cancelled)
        #expect(server.requests.map(\.target) == ["/stall"])
    }

    /// After the end there is nothing to cancel.
    @Test("has no effect after the end", arguments: ["ok", "missing"])
    func afterTheEnd(path: String) async throws {
        server.route(nil, "/missing") { _ in .status(404) }
        let operation = endpoint.execute(TextRequest(path: path))
        let before = await outcome(of: operation)
        operation.cancel()
        operation.cancel()
        let after = await outcome(of: operation)
        #expect(before.value == after.value)
        #expect(before.error?.kind == after.error?.kind)
        #expect((after.value == "ok") == (path == "ok"))
    }

    enum Awaited: CaseIterable, Sendable { case endpoint, operation }

    /// Cancelling the task is cancelling the call.
    @Test(
        "cancels the call and closes the connection with the awaiting task",
        arguments: Awaited.allCases
    )
    func task(awaited: Awaited) async throws {
        let endpoint = endpoint
        let stall = stall
        for number in 1...5 {
            let task = Task { () -> FailureKind? in
                do throws(ErrorResponse<ServerMessage>) {
                    switch awaited {
                    case .endpoint: _ = try await endpoint.value(for: stall)
                    case .operation: _ = try await endpoint.execute(stall).value
                    }
                    return nil
                } catch {
                    return error.kind
                }
            }
            _ = try await server.waitForRequests(number)
            task.cancel()
            // The server never answers: nothing but the cancel can end either.
            #expect(await task.value == .cancelled)
            try await server.waitUntilDisconnected()
        }
    }

    /// The call is one, however many await it.
    @Test("cancels a shared operation with any of its awaiting tasks")
    func allWaiters() async throws {
        let operation = endpoint.execute(stall)
        let cancelled = Task { await operation.failure?.kind }
        let other = Task { () -> FailureKind? in await outcome(of: operation).error?.kind }
        _ = try await server.waitForRequests(1)
        cancelled.cancel()
        #expect(await other.value == .cancelled)
        #expect(await cancelled.value == .cancelled)
    }

    /// A task that is cancelled already sends nothing.
    @Test("prevents the request when the task is already cancelled")
    func cancelledTask() async throws {
        let endpoint = endpoint
        let task = Task { () -> FailureKind? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await CallStyle.async.outcome(of: TextRequest(path: "ok"), on: endpoint).error?
                .kind
        }
        #expect(await task.value == .cancelled)
        #expect(server.requests.isEmpty)
    }

    /// A cancelled call is not a failed one: nothing is tried again.
    @Test("prevents further attempts")
    func noRetry() async throws {
        let operation = stall.execute(on: endpoint, retrying: 5)
        _ = try await server.waitForRequests(1)
        operation.cancel()
        #expect(await outcome(of: operation).error?.kind == .cancelled)
        #expect(try await endpoint.value(for: TextRequest(path: "ok")) == "ok")
        #expect(server.requests.map(\.target) == ["/stall", "/ok"])
    }
}
