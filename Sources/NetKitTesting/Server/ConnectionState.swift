import Foundation

/// The state of a connection: what it reads, what it writes, and whether it is open.
struct ConnectionState {
    /// The events that a connection waits for.
    struct Wish {
        let descriptor: Int32
        let wantsToRead: Bool
        let wantsToWrite: Bool
        let deadline: ContinuousClock.Instant?
    }

    /// The effect of an operation on the connection.
    enum Outcome {
        case open
        /// The connection has just ended, with the incomplete request that it leaves.
        case ended(by: ConnectionEvent.Kind, leaving: RecordedRequest?)
    }

    private enum Life {
        case open
        /// Everything is written.
        ///
        /// Received bytes are discarded, so that closing doesn't reset the connection before the
        /// client has read the response.
        case draining
        case closed
    }

    /// The number of bytes read at a time.
    static let portion = 65_536

    let id: Int
    private let socket: Socket
    private var life = Life.open
    var parser = RequestParser()
    var arriving: (head: RequestHead, origin: RecordedRequest.Origin)?
    var requestCount = 0
    var answered = MockResponseHead.Request()
    /// Whether the core or a route is handling a task.
    var isBeingHandled = false
    private var hasClientLeft = false
    private var script: ResponseScript?
    private var output = Data()
    private var outputOffset = 0
    private var isAwaitingRoom = false
    private var deadline: ContinuousClock.Instant?
    private var resetDelays = 0

    init(id: Int, socket: Socket) {
        self.id = id
        self.socket = socket
    }

    /// The events to wait for; nil once the connection is closed.
    var wish: Wish? {
        guard life != .closed else { return nil }
        return Wish(
            descriptor: socket.descriptor,
            wantsToRead: !hasClientLeft,
            wantsToWrite: isAwaitingRoom && life == .open,
            deadline: deadline
        )
    }

    /// Whether the connection waits for more than bytes.
    var needsAttention: Bool {
        life != .open || hasClientLeft || isAwaitingRoom || deadline != nil
    }

    /// Whether received bytes can be parsed, because no request is being answered.
    var isListening: Bool { life == .open && script == nil && !isBeingHandled }

    /// Whether neither a request nor a response is in flight.
    var isIdle: Bool { isListening && output.isEmpty && parser.isBetweenRequests }

    /// Whether an idle, used connection has received the first bytes of another request.
    var isUsedAgain: Bool { requestCount > 0 && isIdle && socket.hasBytes }

    /// Whether the connection is open for requests and responses.
    var isOpen: Bool { life == .open }
}

// The end of a connection.
extension ConnectionState {
    /// Closes the connection if it is open.
    mutating func close(reset: Bool = false) -> Outcome {
        guard life != .closed else { return .open }
        let outcome = end(by: .serverClosed)
        if reset { socket.resetOnRelease() } else { socket.finishWriting() }
        life = .closed
        script = nil
        return outcome
    }

    /// Handles the client's close.
    ///
    /// A response in progress is still sent as far as possible without waiting, for clients that
    /// close their sending side early.
    mutating func clientLeft() -> Outcome {
        let outcome = end(by: .clientClosed)
        hasClientLeft = true
        if !isBeingHandled { life = .closed }
        return outcome
    }

    /// Shuts down writing, and continues to read so that the client can read the response.
    private mutating func finishWriting() -> Outcome {
        let outcome = end(by: .serverClosed)
        socket.finishWriting()
        life = .draining
        deadline = .now + .seconds(15)
        return outcome
    }

    /// Returns the outcome of an end, which is reported once.
    private func end(by kind: ConnectionEvent.Kind) -> Outcome {
        guard life == .open, !hasClientLeft else { return .open }
        return .ended(by: kind, leaving: incompleteRequest)
    }
}

// Reading.
extension ConnectionState {
    /// Reads received bytes.
    mutating func receive() -> Socket.Transfer {
        guard life != .closed, !hasClientLeft else { return .wouldBlock }
        return withUnsafeTemporaryAllocation(byteCount: Self.portion, alignment: 16) { buffer in
            let transfer = socket.receive(into: buffer)
            if case .bytes(let count) = transfer, life == .open {
                parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return transfer
        }
    }

    /// Starts to read the body of the request whose head has been read.
    mutating func readBody(keeping keepsBody: Bool, sayingContinue: Bool) -> Outcome {
        isBeingHandled = false
        parser.keepsBody = keepsBody
        if sayingContinue, !parser.hasBufferedBytes {
            output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
        }
        return pump()
    }
}

// Writing.
extension ConnectionState {
    /// Starts a response to the last request.
    mutating func begin(_ response: MockResponse) -> Outcome {
        isBeingHandled = false
        guard life == .open else { return .open }
        script = ResponseScript(response, to: answered)
        return pump()
    }

    /// Continues when there is space to write, or when a pause ends.
    mutating func goOn(isTimeUp: Bool) -> Outcome {
        if isTimeUp {
            if life == .draining { return close() }
            deadline = nil
        }
        return pump()
    }

    /// Writes until the response is complete or the connection must wait.
    private mutating func pump() -> Outcome {
        guard life == .open else { return .open }
        let outcome = write()
        if hasClientLeft, !isBeingHandled { life = .closed }
        return outcome
    }

    private mutating func write() -> Outcome {
        var budget = 1 << 22
        while deadline == nil {
            switch flush() {
            case .bytes(let count): budget -= count
            case .wouldBlock: budget = 0
            case .ended: return clientLeft()
            }
            isAwaitingRoom = budget <= 0
            if isAwaitingRoom { return .open }
            switch script?.next() {
            case nil, .stall: return .open
            case .write(let bytes): output = bytes
            case .pause(let duration): deadline = .now + max(duration, .zero)
            case .close(let reset):
                guard reset, socket.unconfirmedBytes > 0, resetDelays < 2000 else {
                    return close(reset: reset)
                }
                // A reset overtakes bytes that the client's system hasn't received yet.
                resetDelays += 1
                deadline = .now + .milliseconds(1)
            case .finish(let keepsAlive):
                script = nil
                if !keepsAlive { return finishWriting() }
            }
        }
        return .open
    }

    /// Writes the rest of the output.
    ///
    /// The result is `.bytes` when all of it is written.
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
}
