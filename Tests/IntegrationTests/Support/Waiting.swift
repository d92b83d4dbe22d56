import NetKitTesting

// A test waits for what has to come, however slow the machine is: its time limit is there for what
// never comes.

/// Waits until something is so, or the test is cancelled, as by its time limit.
func eventually(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}

/// How long a test waits for a server: for as long as it may run itself.
private let forever = Duration.seconds(3_600)

extension MockServer {
    @discardableResult
    func waitForRequests(_ count: Int) async throws -> [RecordedRequest] {
        try await waitForRequests(count, timeout: forever)
    }

    @discardableResult
    func waitForClientClose(of connectionID: Int? = nil) async throws -> ConnectionEvent {
        try await waitForClientClose(of: connectionID, timeout: forever)
    }

    @discardableResult
    func waitForEvent(
        _ kind: ConnectionEvent.Kind,
        on connectionID: Int? = nil
    ) async throws -> ConnectionEvent {
        try await waitForEvent(kind, on: connectionID, timeout: forever)
    }

    func waitUntilDisconnected() async throws {
        try await waitUntilDisconnected(timeout: forever)
    }
}

extension StubTransport {
    @discardableResult
    func waitForRequests(_ count: Int) async throws -> [StubRequest] {
        try await waitForRequests(count, timeout: forever)
    }
}

extension ManualClock {
    func waitForWaiters(_ count: Int) async throws {
        try await waitForWaiters(count, timeout: forever)
    }
}
