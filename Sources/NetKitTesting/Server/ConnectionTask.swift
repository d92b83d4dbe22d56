import Foundation

/// Something that has arrived on a connection and for which others have to be asked.
enum ConnectionTask {
    case head(RecordedRequest.Origin, expectsContinue: Bool)
    case request(RecordedRequest)
    case malformed(reason: String)
}

extension ConnectionState {
    /// What the bytes so far make necessary, nil if a response or more bytes come first.
    ///
    /// The next one is given only when this one has been answered.
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
                answered = ResponseHead.Request(
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
            answered = ResponseHead.Request()
            return .malformed(reason: error.reason)
        }
    }

    /// Whether so many bytes of a body have come, though not the whole request.
    func hasArrived(_ count: Int) -> Bool {
        incompleteRequest.map { $0.bodyLength >= count } ?? false
    }

    /// The request whose head has been read and whose body has not.
    var incompleteRequest: RecordedRequest? {
        guard isOpen, let arriving else { return nil }
        // What came along with the head of a request that is refused has not been looked at; that
        // it is malformed is of no interest then.
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
