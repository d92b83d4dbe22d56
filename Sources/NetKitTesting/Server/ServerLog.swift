/// The requests and events that a server has recorded.
struct ServerLog {
    /// A kind of event on a connection; nil for any.
    private struct EventKey: Hashable {
        let kind: ConnectionEvent.Kind
        let connectionID: Int?
    }

    /// Whether to record requests and events; counts continue in any case.
    var isOn = true
    /// Complete requests, in the order of completion.
    private(set) var requests: [RecordedRequest] = []
    /// Requests whose connection ended before they were complete.
    private(set) var abandoned: [RecordedRequest] = []
    private(set) var events: [ConnectionEvent] = []
    private var firstEvents: [EventKey: ConnectionEvent] = [:]
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
        let event = ConnectionEvent(kind: kind, connectionID: connectionID, time: time)
        events.append(event)
        for id in [nil, connectionID] {
            let key = EventKey(kind: kind, connectionID: id)
            if firstEvents[key] == nil { firstEvents[key] = event }
        }
    }

    /// Returns the first event of a kind.
    ///
    /// It takes constant time, because each waiting test asks after each change.
    func firstEvent(_ kind: ConnectionEvent.Kind, on connectionID: Int?) -> ConnectionEvent? {
        firstEvents[EventKey(kind: kind, connectionID: connectionID)]
    }

    /// Removes the records.
    ///
    /// The counts continue.
    mutating func clear() {
        requests = []
        abandoned = []
        events = []
        firstEvents = [:]
    }
}
