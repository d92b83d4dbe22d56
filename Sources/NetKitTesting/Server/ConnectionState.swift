import Foundation

/// Where a connection stands: what is being read, what is being written, and whether it is open.
struct ConnectionState {
    /// What to wait for.
    struct Wish {
        let descriptor: Int32
        let wantsToRead: Bool
        let wantsToWrite: Bool
        let deadline: ContinuousClock.Instant?
    }

    /// What became of the connection.
    enum Outcome {
        case open
        /// It has ended just now, by one side or the other, and this much of a request came.
        case ended(by: ConnectionEvent.Kind, leaving: RecordedRequest?)
    }

    private enum Life {
        case open
        /// All is written; bytes are read and forgotten, so that closing does not reset the
        /// connection before the client has read the response.
        case draining
        case closed
    }

    /// How many bytes are read at a time.
    static let portion = 65_536

    let id: Int
    private let socket: Socket
    private var life = Life.open
    var parser = RequestParser()
    var arriving: (head: RequestHead, origin: RecordedRequest.Origin)?
    var requestCount = 0
    var answered = ResponseHead.Request()
    /// Whether somebody makes up their mind about what has arrived.
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

    /// What to wait for, nil once the connection is closed.
    var wish: Wish? {
        guard life != .closed else { return nil }
        return Wish(
            descriptor: socket.descriptor,
            wantsToRead: !hasClientLeft,
            wantsToWrite: isAwaitingRoom && life == .open,
            deadline: deadline
        )
    }

    /// Whether there is more to wait for than bytes.
    var needsAttention: Bool {
        life != .open || hasClientLeft || isAwaitingRoom || deadline != nil
    }

    /// Whether what has arrived can be looked at: nothing is being answered.
    var isListening: Bool { life == .open && script == nil && !isBeingHandled }

    /// Whether neither a request nor a response is under way.
    var isIdle: Bool { isListening && output.isEmpty && parser.isBetweenRequests }

    /// Whether it is idle, has been used, and the first bytes of another request have come.
    var isUsedAgain: Bool { requestCount > 0 && isIdle && socket.hasBytes }

    /// Whether the connection is open for requests and responses.
    var isOpen: Bool { life == .open }
}

// Its end.
extension ConnectionState {
    /// Closes the connection, unless it has been closed.
    mutating func close(reset: Bool = false) -> Outcome {
        guard life != .closed else { return .open }
        let outcome = end(by: .serverClosed)
        if reset { socket.resetOnRelease() } else { socket.finishWriting() }
        life = .closed
        script = nil
        return outcome
    }

    /// Takes note that the client has closed the connection.
    ///
    /// A response that is being made up is still sent as far as it goes at once, for clients that
    /// say early that they will not send any more.
    mutating func clientLeft() -> Outcome {
        let outcome = end(by: .clientClosed)
        hasClientLeft = true
        if !isBeingHandled { life = .closed }
        return outcome
    }

    /// Announces the end of the connection, and goes on reading so that the client gets to see
    /// what was written.
    private mutating func finishWriting() -> Outcome {
        let outcome = end(by: .serverClosed)
        socket.finishWriting()
        life = .draining
        deadline = .now + .seconds(1)
        return outcome
    }

    /// What to say about an end, which is said once.
    private func end(by kind: ConnectionEvent.Kind) -> Outcome {
        guard life == .open, !hasClientLeft else { return .open }
        return .ended(by: kind, leaving: incompleteRequest)
    }
}

// Reading.
extension ConnectionState {
    /// Reads a portion of what has arrived.
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

    /// Goes on to the body of the request whose head has been read.
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
    /// Begins with a response to the request that was read last.
    mutating func begin(_ response: MockResponse) -> Outcome {
        isBeingHandled = false
        guard life == .open else { return .open }
        script = ResponseScript(response, to: answered)
        return pump()
    }

    /// Goes on when there is room to write, or when a pause is over.
    mutating func goOn(isTimeUp: Bool) -> Outcome {
        if isTimeUp {
            if life == .draining { return close() }
            deadline = nil
        }
        return pump()
    }

    /// Writes until the response is complete or something has to be waited for.
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
                // A reset overtakes what the client's system has not taken in yet.
                resetDelays += 1
                deadline = .now + .milliseconds(1)
            case .finish(let keepsAlive):
                script = nil
                if !keepsAlive { return finishWriting() }
            }
        }
        return .open
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
}
