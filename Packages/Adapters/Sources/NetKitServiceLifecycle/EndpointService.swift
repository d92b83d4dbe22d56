public import NetKit
public import ServiceLifecycle

/// A service that shuts an endpoint down when its group does.
///
/// On graceful shutdown the endpoint takes no new calls, waits for the calls in flight until a deadline, and cancels the
/// rest, as `Endpoint.shutdown(deadline:)` says. A cancellation of the group cancels the calls in flight at once.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [EndpointService(endpoint), server],
///     gracefulShutdownSignals: [.sigterm],
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// A group shuts its services down in the reverse of their order. List the endpoint before the services that use it, so
/// that these end first.
public struct EndpointService: Service {
    private let endpoint: Endpoint
    private let deadline: Duration

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to shut down.
    ///   - deadline: The time for calls in flight, from the graceful shutdown on. Defaults to 30 seconds. Let it be shorter
    ///     than the group's `maximumGracefulShutdownDuration`.
    public init(_ endpoint: Endpoint, deadline: Duration = .seconds(30)) {
        self.endpoint = endpoint
        self.deadline = deadline
    }

    /// Waits for the shutdown, and shuts the endpoint down.
    public func run() async throws {
        // It throws where the task is cancelled, and the shutdown then waits for nothing.
        try? await gracefulShutdown()
        await endpoint.shutdown(deadline: deadline)
    }
}
