import Foundation

/// A received head, request or error that the core must handle.
enum ConnectionTask {
    case head(RecordedRequest.Origin, expectsContinue: Bool)
    case request(RecordedRequest)
    case malformed(reason: String)
}

extension ConnectionState {
    /// Returns the next task, or nil if a response or more bytes must come first.
    ///
    /// The next task follows only after this one has been handled.
    mutating func nextTask() -> ConnectionTask? {
        guard isListening, let task = parsedTask() else { return nil }
        isBeingHandled = true
        return task
    }

    private mutating func parsedTask() -> ConnectionTask? {
        do {
            switch try parser.next() {
            case nil:
                return nil
            case .head(let head):
                let origin = RecordedRequest.Origin(
                    connectionID: id,
                    index: requestCount,
                    headReceivedAt: .now
                )
                arriving = (head, origin)
                requestCount += 1
                answered = MockResponseHead.Request(
                    isHead: head.method == "HEAD",
                    isHTTP10: head.minorVersion == 0,
                    keepsAlive: head.keepsAlive
                )
                return .head(origin, expectsContinue: head.expectsContinue)
            case .complete(let body, let length, let trailers):
                guard let (head, origin) = arriving else { return nil }
                arriving = nil
                let request = RecordedRequest(
                    head: head,
                    body: body,
                    bodyLength: length,
                    trailers: trailers,
                    origin: origin,
                    receivedAt: .now
                )
                return .request(request)
            }
        } catch {
            answered = MockResponseHead.Request()
            return .malformed(reason: error.reason)
        }
    }

    /// Whether `count` bytes, but at least one, of an incomplete request's body have arrived.
    func hasArrived(_ count: Int) -> Bool {
        isOpen && arriving != nil && parser.arrivedBodyLength >= max(1, count)
    }

    /// The request whose head has been read but whose body hasn't.
    var incompleteRequest: RecordedRequest? {
        guard isOpen, let arriving else { return nil }
        // Bytes that arrived with the head of a refused request are still unparsed. If they are
        // malformed, that doesn't matter here.
        var parser = parser
        let body: Data
        let bodyLength: Int
        if case .complete(let whole, let length, _) = try? parser.next() {
            (body, bodyLength) = (whole, length)
        } else {
            (body, bodyLength) = (parser.body, parser.bodyLength)
        }
        return RecordedRequest(
            head: arriving.head,
            body: body,
            bodyLength: bodyLength,
            trailers: [],
            origin: arriving.origin,
            receivedAt: .now
        )
    }
}
