/// Responses that go out first-in first-out before any route is asked.
struct ResponseQueue {
    /// Where a request stands when a response for it is looked for.
    enum Stage {
        /// Its first bytes have arrived, and it is not the first one on its connection.
        case reusedConnection
        /// Its head has been read.
        case head(isReused: Bool)
        /// It has been read in full.
        case complete(isReused: Bool)
    }

    private var responses: [MockResponse] = []
    private var taken = 0

    var isEmpty: Bool { taken == responses.count }

    mutating func append(_ more: [MockResponse]) {
        responses.append(contentsOf: more)
    }

    mutating func removeAll() {
        responses = []
        taken = 0
    }

    /// Takes the first response that can be for the request, if its turn is at this stage.
    mutating func next(at stage: Stage) -> MockResponse? {
        guard !isEmpty else { return nil }
        var index = taken
        while index < responses.count, !responses[index].isFor(stage) { index += 1 }
        guard index < responses.count, responses[index].isDue(at: stage) else { return nil }
        guard index == taken else { return responses.remove(at: index) }
        taken += 1
        defer { if isEmpty { removeAll() } }
        return responses[index]
    }
}

extension MockResponse {
    /// Whether the response can be for a request: a fault of kept connections passes others by.
    fileprivate func isFor(_ stage: ResponseQueue.Stage) -> Bool {
        guard case .fault(.closeReused) = content else { return true }
        switch stage {
        case .reusedConnection: return true
        case .head(let isReused), .complete(let isReused): return isReused
        }
    }

    /// Whether the response, which is for this request, goes out at this stage already.
    fileprivate func isDue(at stage: ResponseQueue.Stage) -> Bool {
        switch (stage, content) {
        case (.complete, _): true
        case (.reusedConnection, .fault(.closeReused(let point, _))): point == .beforeHead
        case (.head, .fault(.closeReused(let point, _))): point != .afterBody
        case (.head, _): isBeforeBody
        default: false
        }
    }
}
