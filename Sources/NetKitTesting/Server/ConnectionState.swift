import Dispatch
import Foundation

/// Where a connection stands: what is being read, what is being written, and whether it is open.
struct ConnectionState {
    /// Something for which others have to be asked.
    enum Task {
        case head(RecordedRequest.Origin, expectsContinue: Bool)
        case request(RecordedRequest)
        case malformed(reason: String)
    }

    /// What became of the connection.
    enum Outcome {
        case open
        /// The server has closed it just now, and has read this much of a request.
        case closedByServer(incomplete: RecordedRequest?)
        case clientLeft
    }

    /// What writing can wait for.
    enum Awaited {
        case room
        case time
    }

    private enum Life {
        case open
        /// All is written; bytes are read and forgotten, so that closing does not reset the
        /// connection before the client has read the response.
        case draining
        case closed
    }

    private let id: Int
    private let socket: Socket
    /// What it waits with; nil once it is closed.
    var sources: ConnectionSources?
    private var life = Life.open
    private var parser = RequestParser()
    private var arriving: (head: RequestHead, origin: RecordedRequest.Origin)?
    private var requestCount = 0
    private var answered = ResponseHead.Request()
    private var script: ResponseScript?
    private var output = Data()
    private var outputOffset = 0
    private var isPaused = false
    private var resetDelays = 0

    init(id: Int, socket: Socket) {
        self.id = id
        self.socket = socket
    }

    /// Whether neither a request nor a response is under way.
    var isIdle: Bool {
        life == .open && script == nil && output.isEmpty && parser.isBetweenRequests
    }

    /// Whether it is idle, has been used, and the first bytes of another request have come.
    var isUsedAgain: Bool { requestCount > 0 && isIdle && socket.hasBytes }

    /// The request whose head has been read and whose body has not.
    var incompleteRequest: RecordedRequest? {
        guard life == .open, let arriving else { return nil }
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

    /// Closes the connection, unless it has been closed.
    mutating func close(reset: Bool = false) -> Outcome {
        guard life != .closed else { return .open }
        let wasOpen = life == .open
        let incomplete = incompleteRequest
        if reset { socket.resetOnRelease() } else { socket.finishWriting() }
        life = .closed
        script = nil
        sources?.cancel()
        sources = nil
        return wasOpen ? .closedByServer(incomplete: incomplete) : .open
    }
}

// Reading.
extension ConnectionState {
    /// Reads a portion of what has arrived.
    mutating func receive() -> Socket.Transfer {
        guard life != .closed else { return .wouldBlock }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            let transfer = socket.receive(into: buffer)
            if case .bytes(let count) = transfer, life == .open {
                parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return transfer
        }
    }

    /// What the bytes so far make necessary, nil if a response or more bytes come first.
    mutating func nextTask() -> Task? {
        guard life == .open, script == nil else { return nil }
        do {
            switch try parser.next() {
            case nil: return nil
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

    /// Goes on to the body of the request whose head has been read.
    mutating func readBody(keeping keepsBody: Bool, sayingContinue: Bool) -> Outcome {
        parser.keepsBody = keepsBody
        guard sayingContinue, !parser.hasBufferedBytes else { return .open }
        output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
        return pump()
    }
}

// Writing.
extension ConnectionState {
    /// Begins with a response to the request that was read last.
    mutating func begin(_ response: MockResponse) -> Outcome {
        guard life == .open else { return .open }
        script = ResponseScript(response, to: answered)
        return pump()
    }

    /// Goes on with what had to wait.
    mutating func goOn(after event: Awaited) -> Outcome {
        if event == .time {
            if life == .draining { return close() }
            isPaused = false
        }
        return pump()
    }

    /// Writes until the response is complete or something has to be waited for.
    private mutating func pump() -> Outcome {
        var budget = 1 << 22
        while life == .open, !isPaused {
            switch flush() {
            case .bytes(let count):
                budget -= count
                guard budget > 0 else {
                    sources?.awaitRoom()
                    return .open
                }
            case .wouldBlock:
                sources?.awaitRoom()
                return .open
            case .ended:
                return .clientLeft
            }
            sources?.ignoreRoom()
            switch script?.next() {
            case nil, .stall: return .open
            case .write(let bytes): output = bytes
            case .pause(let duration): pause(duration)
            case .close(let reset):
                guard reset, socket.unconfirmedBytes > 0, resetDelays < 2000 else {
                    return close(reset: reset)
                }
                // A reset overtakes what the client's system has not taken in yet.
                resetDelays += 1
                pause(.milliseconds(1))
            case .finish(let keepsAlive):
                script = nil
                if !keepsAlive { return finishWriting() }
            }
        }
        return .open
    }

    private mutating func pause(_ duration: Duration) {
        isPaused = true
        sources?.wait(duration)
    }

    /// Writes what is left of the output: `.bytes` when all of it is gone.
    private mutating func flush() -> Socket.Transfer {
        let total = output.count
        while outputOffset < output.count {
            let transfer = output.withUnsafeBytes { bytes in
                socket.send(UnsafeRawBufferPointer(rebasing: bytes[outputOffset...]))
            }
            guard case .bytes(let count) = transfer else { return transfer }
            outputOffset += count
        }
        output = Data()
        outputOffset = 0
        return .bytes(total)
    }

    private mutating func finishWriting() -> Outcome {
        let incomplete = incompleteRequest
        socket.finishWriting()
        life = .draining
        sources?.wait(.seconds(1))
        return .closedByServer(incomplete: incomplete)
    }
}
