/// The requests and events that a server has recorded.
struct ServerLog {
    /// Whether to record requests and events; counts continue in any case.
    var isOn = true
    /// Complete requests, in the order of completion.
    private(set) var requests: [RecordedRequest] = []
    /// Requests whose connection ended before they were complete.
    private(set) var abandoned: [RecordedRequest] = []
    private(set) var events: [ConnectionEvent] = []
    private(set) var completeCount = 0
    private(set) var acceptedCount = 0

    mutating func record(_ request: RecordedRequest) {
        completeCount += 1
        guard isOn else { return }
        requests.append(request)
        note(.requestReceived, on: request.connectionID, at: request.receivedAt)
    }

    mutating func recordAbandoned(_ request: RecordedRequest) {
        guard isOn else { return }
        abandoned.append(request)
    }

    mutating func note(
        _ kind: ConnectionEvent.Kind,
        on connectionID: Int,
        at time: ContinuousClock.Instant = .now
    ) {
        if kind == .accepted { acceptedCount += 1 }
        guard isOn else { return }
        events.append(ConnectionEvent(kind: kind, connectionID: connectionID, time: time))
    }

    /// Removes the records.
    ///
    /// The counts continue.
    mutating func clear() {
        requests = []
        abandoned = []
        events = []
    }
}
