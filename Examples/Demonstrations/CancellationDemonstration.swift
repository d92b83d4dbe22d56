import NetKit
import NetKitTesting

/// Cancelling a call fails it at once and closes its connection.
struct CancellationDemonstration: Demonstration {
    let name = "cancellation"
    let summary = "cancel a call, and close its connection"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint

        context.asked("Task { try await endpoint.value(for: DelayRequest(seconds: 10)) }.cancel()")
        let task = Task { try await endpoint.value(for: DelayRequest(seconds: 10)) }
        try await context.waitUntilSent(1)
        task.cancel()
        try await expectCancellation(context) { try await task.value }

        context.asked("DelayRequest(seconds: 10).execute(on: endpoint).cancel()")
        let operation = DelayRequest(seconds: 10).execute(on: endpoint)
        try await context.waitUntilSent(2)
        operation.cancel()
        try await expectCancellation(context) { try await operation.value }
    }

    private func expectCancellation(
        _ context: Context,
        of call: () async throws -> Void
    ) async throws {
        do {
            try await call()
        } catch let error as ErrorResponse<ServerMessage> {
            context.cameBack(error.message)
            let isCancelled = if case .cancelled = error { true } else { false }
            try context.expect(isCancelled, "the error is .cancelled")
            return try await expectNoConnection(context)
        }
        throw DemonstrationError("the call wasn't cancelled")
    }

    /// A cancelled call closes its connection, so that the server can stop working on it.
    private func expectNoConnection(_ context: Context) async throws {
        guard let server = context.server else { return }
        try await server.waitUntilDisconnected(timeout: .seconds(60))
        try context.expect(server.openConnectionCount == 0, "the server saw the connection close")
    }
}
