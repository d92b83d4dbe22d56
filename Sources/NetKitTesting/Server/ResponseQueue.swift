/// Responses that are sent first in, first out, before any route answers.
struct ResponseQueue {
    /// The progress of a request when the server looks for its response.
    enum Stage {
        /// The first bytes have arrived on a connection that has served a request.
        case reusedConnection
        /// The head has been read.
        case head(isReused: Bool)
        /// The whole request has been read.
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

    /// Takes the first response that applies to the request, if it is due at this stage.
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
    /// Whether the response applies to the request.
    ///
    /// Faults of kept connections skip new ones.
    fileprivate func isFor(_ stage: ResponseQueue.Stage) -> Bool {
        guard case .fault(.closeReusedConnection) = content else { return true }
        switch stage {
        case .reusedConnection: return true
        case .head(let isReused), .complete(let isReused): return isReused
        }
    }

    /// Whether the response to this request is due at this stage.
    fileprivate func isDue(at stage: ResponseQueue.Stage) -> Bool {
        switch (stage, content) {
        case (.complete, _): true
        case (.reusedConnection, .fault(.closeReusedConnection(let point, _))): point == .beforeHead
        case (.head, .fault(.closeReusedConnection(let point, _))): point != .afterBody
        case (.head, _): isBeforeBody
        default: false
        }
    }
}
