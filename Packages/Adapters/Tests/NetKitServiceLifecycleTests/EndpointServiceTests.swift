import Dispatch
import Foundation
import Logging
import NetKit
import NetKitServiceLifecycle
import NetKitTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite("Endpoint service", .timeLimit(.minutes(5)))
struct EndpointServiceTests {
    private typealias Text = DefaultRequest<String, ServerMessage>

    private let server: MockServer
    private let endpoint: Endpoint
    private let gate = DispatchSemaphore(value: 0)

    init() throws {
        server = try MockServer()
        let gate = gate
        server.route(nil, "/wait") { _ in
            gate.wait()
            return .text("waited")
        }
        server.route(nil, "/never") { _ in .fault(.stall) }
        endpoint = Endpoint(baseURL: server.baseURL)
        endpoint.timeouts.idle = .seconds(3_600)
    }

    /// Whether the endpoint takes new calls.
    private var isOpen: Bool {
        get async {
            await failure(of: Text(path: "missing").execute(on: endpoint))
                != .endpointShutDown
        }
    }

    /// Why a call was refused; nil for another outcome.
    private func failure(of call: RequestExecutionOperation<Text>) async -> InvalidRequest.Reason? {
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await call.value
        } catch {
            if case .invalidRequest(let invalid) = error { return invalid.reason }
        }
        return nil
    }

    private func isCancelled(_ call: RequestExecutionOperation<Text>) async -> Bool {
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await call.value
            return false
        } catch {
            return error.isCancellation
        }
    }

    @Test("waits for calls in flight at a graceful shutdown, and rejects new ones")
    func graceful() async throws {
        let operation = Text(path: "wait").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        let group = ServiceGroup(
            services: [EndpointService(endpoint, deadline: .seconds(3_600))],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        async let run: Void = group.run()
        await group.triggerGracefulShutdown()
        while await isOpen {}
        gate.signal()
        #expect(try await operation.value == "waited")
        try await run
        #expect(await !isOpen)
    }

    @Test("cancels calls in flight at the deadline")
    func deadline() async throws {
        let operation = Text(path: "never").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await EndpointService(endpoint, deadline: .zero).run()
        }
        #expect(await isCancelled(operation))
    }

    @Test("cancels calls in flight when its group is cancelled")
    func cancelled() async throws {
        let operation = Text(path: "never").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        let service = EndpointService(endpoint, deadline: .seconds(3_600))
        let run = Task { try await service.run() }
        run.cancel()
        try await run.value
        #expect(await isCancelled(operation))
        #expect(await !isOpen)
    }
}
