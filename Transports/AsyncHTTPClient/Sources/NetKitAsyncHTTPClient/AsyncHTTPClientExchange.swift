internal import AsyncHTTPClient
internal import Foundation
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1
internal import NetKit

/// One request on its way over AsyncHTTPClient: waiting for a connection, running, or over.
///
/// What AsyncHTTPClient reports arrives on one event loop and goes on to the receiver from there.
final class AsyncHTTPClientExchange: TransportExchange {
    private enum Phase {
        case new
        case waiting(ConnectionQueue<AsyncHTTPClientExchange>.Ticket)
        case running(HTTPClient.Task<Void>?)
        case over
    }

    private struct State {
        var phase = Phase.new
        var isCancelled = false
        var hasHead = false
        /// Whether the response has no body, whatever its fields say (RFC 9112, section 6.3).
        var isBodiless = false
        var sent: Int64 = 0
        /// Whether the receiver wants no more for now.
        var isPaused = false
        /// What the response waits for.
        var room: EventLoopPromise<Void>?
        var writer: BodyWriter?

        var isOver: Bool {
            if case .over = phase { true } else { false }
        }
    }

    let request: EncodedRequest
    let key: ConnectionKey
    private let receiver: any TransportReceiver
    private let transport: AsyncHTTPClientTransport
    private let state = NIOLockedValueBox(State())

    init(
        request: EncodedRequest,
        key: ConnectionKey,
        receiver: any TransportReceiver,
        transport: AsyncHTTPClientTransport
    ) {
        self.request = request
        self.key = key
        self.receiver = receiver
        self.transport = transport
    }

    // MARK: Starting

    /// Takes a place in the queue; ``run()`` follows when there is a connection.
    func wait(with ticket: ConnectionQueue<AsyncHTTPClientExchange>.Ticket) {
        let isCancelled = state.withLockedValue { state in
            if case .new = state.phase { state.phase = .waiting(ticket) }
            return state.isCancelled
        }
        if isCancelled { leave(ticket) }
    }

    /// Sends the request: there is a connection for it, and on `loop` it is told what happens.
    func run(on loop: any EventLoop) {
        // A body without bytes is framed all the same.
        let writer = request.body.flatMap { body in
            body.length > 0 || body.sequence != nil ? BodyWriter(body, on: loop) : nil
        }
        let isCancelled = state.withLockedValue { state in
            state.phase = .running(nil)
            state.writer = writer
            return state.isCancelled
        }
        guard !isCancelled else {
            loop.execute { self.finish(.cancelled, on: loop) }
            return
        }
        receiver.receive(.started)
        do {
            let wireRequest = try WireRequest.make(request, body: writer?.body)
            let task = try transport.execute(wireRequest, for: self, on: loop)
            let wasCancelled = state.withLockedValue { state in
                if case .running = state.phase { state.phase = .running(task) }
                return state.isCancelled
            }
            if wasCancelled { task.cancel() }
        } catch {
            let kind = TransportErrorClassifier.kind(of: error, hadHead: false)
            loop.execute {
                self.finish(.failed(TransportError(kind, underlying: error)), on: loop)
            }
        }
    }

    // MARK: Cancelling and holding back

    func cancel() {
        enum Action {
            case leave(ConnectionQueue<AsyncHTTPClientExchange>.Ticket)
            case stop(HTTPClient.Task<Void>)
            case nothing
        }
        let (action, room) = state.withLockedValue { state -> (Action, EventLoopPromise<Void>?) in
            guard !state.isCancelled else { return (.nothing, nil) }
            state.isCancelled = true
            // A response that is held back would not hear of its end.
            defer { state.room = nil }
            return switch state.phase {
            case .waiting(let ticket): (.leave(ticket), nil)
            case .running(let task?): (.stop(task), state.room)
            case .new, .running(nil), .over: (.nothing, state.room)
            }
        }
        switch action {
        case .leave(let ticket): leave(ticket)
        case .stop(let task): task.cancel()
        case .nothing: break
        }
        room?.succeed()
    }

    func pause() -> Bool {
        state.withLockedValue { state in
            state.isPaused = !state.isCancelled && !state.isOver
            return true
        }
    }

    func resume() {
        let room = state.withLockedValue { state in
            state.isPaused = false
            defer { state.room = nil }
            return state.room
        }
        room?.succeed()
    }

    /// Losing the race for the place means that the connection is ours now, and `run` sees the mark.
    private func leave(_ ticket: ConnectionQueue<AsyncHTTPClientExchange>.Ticket) {
        guard transport.leaveQueue(ticket) else { return }
        transport.anyLoop.execute {
            guard self.end() else { return }
            self.receiver.receive(.finished(.cancelled))
            self.transport.hasEnded()
        }
    }

    // MARK: Ending

    private func finish(_ failure: TransportFailure?, on loop: any EventLoop) {
        guard end() else { return }
        let writer = state.withLockedValue { state in
            defer { state.writer = nil }
            return state.writer
        }
        writer?.stop()
        // First of all the connection: the call that follows this one is to find it free.
        transport.giveBackConnection(to: key, on: loop)
        receiver.receive(.finished(failure))
        transport.hasEnded()
    }

    /// Whether it was not over yet; it is now.
    private func end() -> Bool {
        state.withLockedValue { state in
            guard !state.isOver else { return false }
            state.phase = .over
            return true
        }
    }
}

// MARK: - What AsyncHTTPClient reports, on the event loop

extension AsyncHTTPClientExchange: HTTPClientResponseDelegate {
    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
        let sent = state.withLockedValue { state -> Int64? in
            state.sent += Int64(part.readableBytes)
            return state.isOver ? nil : state.sent
        }
        if let sent { receiver.receive(.sent(sent)) }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Void>,
        _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        let isBodiless =
            request.method == .head || [204, 304].contains(head.status.code)
            || head.headers.first(name: "Content-Length") == "0"
        state.withLockedValue { ($0.hasHead, $0.isBodiless) = (true, isBodiless) }
        return forward(.head(ResponseHead(head)), on: task.eventLoop)
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>,
        _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        guard buffer.readableBytes > 0 else { return task.eventLoop.makeSucceededVoidFuture() }
        return forward(.body(Data(buffer: buffer)), on: task.eventLoop)
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        let (isCancelled, hasHead, isBodiless) = state.withLockedValue { state in
            (state.isCancelled, state.hasHead, state.isBodiless)
        }
        if let error = error as? UnsendableBody {
            finish(
                .failed(TransportError(.other, underlying: error.underlying)),
                on: task.eventLoop
            )
        } else if isCancelled {
            finish(.cancelled, on: task.eventLoop)
        } else if isBodiless, error.isTruncatedCompression {
            // What would have been compressed, had there been a body.
            finish(nil, on: task.eventLoop)
        } else {
            let kind = TransportErrorClassifier.kind(of: error, hadHead: hasHead)
            finish(.failed(TransportError(kind, underlying: error)), on: task.eventLoop)
        }
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {
        finish(nil, on: task.eventLoop)
    }

    /// Tells the receiver, and says when there is room for more.
    private func forward(
        _ event: TransportEvent,
        on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        guard !state.withLockedValue({ $0.isOver }) else { return loop.makeSucceededVoidFuture() }
        receiver.receive(event)
        let room = state.withLockedValue { state -> EventLoopPromise<Void>? in
            guard state.isPaused, !state.isCancelled else { return nil }
            let room = loop.makePromise(of: Void.self)
            state.room = room
            return room
        }
        return room?.futureResult ?? loop.makeSucceededVoidFuture()
    }
}
