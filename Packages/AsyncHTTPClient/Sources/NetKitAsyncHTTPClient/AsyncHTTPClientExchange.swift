internal import AsyncHTTPClient
internal import Foundation
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1
internal import NetKit

/// One request over AsyncHTTPClient: queued, running, or ended.
///
/// AsyncHTTPClient's reports arrive on one event loop. The exchange forwards them to the receiver.
final class AsyncHTTPClientExchange: TransportExchange {
    private enum Phase {
        case new
        case waiting(ConnectionQueue<AsyncHTTPClientExchange>.Ticket)
        case running(HTTPClient.Task<Void>?)
        case over
    }

    private struct State {
        var phase = Phase.new
        /// How often the exchange has begun.
        var begins = 0
        var isCancelled = false
        var hasHead = false
        /// What the server didn't process.
        var refusals = Refusals()
        /// Whether the head of the request was sent.
        var hasSentHead = false
        var sent: Int64 = 0
        /// The maximum number of bytes sent before the server refused the request.
        var reported: Int64 = 0
        var received = 0
        /// Whether the receiver has paused the exchange.
        var isPaused = false
        /// The promise that the paused response waits for.
        var room: EventLoopPromise<Void>?
        /// The decompressor of the response, used on the event loop alone.
        var inflater: NIOLoopBound<Inflater>?
        /// Whether decompressed bytes of a part are still to be forwarded.
        var isInflating = false
        /// Whether the exchange ends after them, because AsyncHTTPClient reports nothing more.
        var endsAfterInflating = false
        var writer: BodyWriter?

        var isOver: Bool {
            if case .over = phase { true } else { false }
        }
    }

    /// The number of decompressed bytes after which other connections of the event loop have their turn.
    private static let maximumTurn = 1 << 20

    let request: EncodedRequest
    let key: ConnectionKey
    let route: ProxyRoute
    private let receiver: any TransportReceiver
    private let transport: AsyncHTTPClientTransport
    private let state = NIOLockedValueBox(State())

    init(
        request: EncodedRequest,
        key: ConnectionKey,
        route: ProxyRoute,
        receiver: any TransportReceiver,
        transport: AsyncHTTPClientTransport
    ) {
        self.request = request
        self.key = key
        self.route = route
        self.receiver = receiver
        self.transport = transport
    }

    /// How often the request was given to AsyncHTTPClient.
    var begins: Int { state.withLockedValue { $0.begins } }

    // MARK: Starting

    /// Queues the exchange.
    ///
    /// ``run()`` follows when a connection is free.
    func wait(with ticket: ConnectionQueue<AsyncHTTPClientExchange>.Ticket) {
        let isCancelled = state.withLockedValue { state in
            if case .new = state.phase { state.phase = .waiting(ticket) }
            return state.isCancelled
        }
        if isCancelled { leave(ticket) }
    }

    /// Sends the request, because a connection is free.
    ///
    /// Reports arrive on `loop`.
    func run(on loop: any EventLoop) {
        begin(on: loop, isFirst: true)
    }

    private func begin(on loop: any EventLoop, isFirst: Bool) {
        // AsyncHTTPClient frames an empty body by itself.
        let writer = request.body.flatMap { body in
            body.length > 0 || body.sequence != nil ? BodyWriter(body, on: loop) : nil
        }
        let (number, wasSent, isCancelled) = state.withLockedValue { state in
            defer { state.hasSentHead = false }
            state.phase = .running(nil)
            state.begins += 1
            state.writer = writer
            state.sent = 0
            return (state.begins, state.hasSentHead, state.isCancelled)
        }
        if wasSent { note(isSent: false) }
        guard !isCancelled else {
            loop.execute { self.finish(.cancelled, on: loop) }
            return
        }
        if isFirst { receiver.receive(.started) }
        do {
            let wireRequest = try WireRequest.make(request, to: key, by: route, body: writer?.body)
            let task = try transport.execute(wireRequest, for: self, on: loop)
            let wasCancelled = state.withLockedValue { state in
                // The task may have failed already, and the exchange begun again on the event loop.
                if case .running = state.phase, state.begins == number {
                    state.phase = .running(task)
                }
                return state.isCancelled
            }
            if wasCancelled { task.cancel() }
        } catch {
            let kind = TransportErrorClassifier.kind(of: error, hadHead: false)
            loop.execute {
                self.finish(
                    .failed(TransportErrorClassifier.error(kind, error, by: self.route)),
                    on: loop
                )
            }
        }
    }

    // MARK: Canceling and pausing

    func cancel() {
        enum Action {
            case leave(ConnectionQueue<AsyncHTTPClientExchange>.Ticket)
            case stop(HTTPClient.Task<Void>)
            case nothing
        }
        let (action, room) = state.withLockedValue { state -> (Action, EventLoopPromise<Void>?) in
            guard !state.isCancelled else { return (.nothing, nil) }
            state.isCancelled = true
            // A paused response wouldn't notice its end.
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

    /// Leaves the queue.
    ///
    /// If this race is lost, the exchange has a connection, and `run` sees the cancellation.
    private func leave(_ ticket: ConnectionQueue<AsyncHTTPClientExchange>.Ticket) {
        guard transport.leaveQueue(ticket) else { return }
        transport.anyLoop.execute {
            guard self.end() else { return }
            self.receiver.receive(.finished(.cancelled))
            self.transport.hasEnded()
        }
    }

    // MARK: Ending

    /// Counts the request as sent, or as not sent any more.
    private func note(isSent: Bool) {
        // Without TLS, nothing negotiates HTTP/2, for whose streams others may wait.
        if key.isSecure { transport.note(key, isSent: isSent) }
    }

    private func finish(_ failure: ExchangeFailure?, on loop: any EventLoop) {
        guard end() else { return }
        let (writer, room, wasSent) = state.withLockedValue { state in
            defer { (state.writer, state.room, state.inflater) = (nil, nil, nil) }
            return (state.writer, state.room, state.hasSentHead)
        }
        writer?.stop()
        // A paused response whose connection is lost has ended too.
        room?.succeed()
        // Returns the connection first, so that the next call finds it free.
        transport.giveBackConnection(to: key, wasSent: wasSent && key.isSecure, on: loop)
        receiver.receive(.finished(failure))
        transport.hasEnded()
    }

    /// Marks the exchange as ended and returns whether it was still active.
    private func end() -> Bool {
        state.withLockedValue { state in
            guard !state.isOver else { return false }
            state.phase = .over
            return true
        }
    }
}

// MARK: - Reports of AsyncHTTPClient, on the event loop

extension AsyncHTTPClientExchange: HTTPClientResponseDelegate {
    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        state.withLockedValue { $0.hasSentHead = true }
        note(isSent: true)
    }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
        let sent = state.withLockedValue { state -> Int64? in
            state.sent += Int64(part.readableBytes)
            guard !state.isOver, state.sent > state.reported else { return nil }
            state.reported = state.sent
            return state.sent
        }
        if let sent { receiver.receive(.sent(sent)) }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Void>,
        _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        do {
            let inflater = try Inflater.make(for: head)
            let bound = inflater.map { NIOLoopBound($0, eventLoop: task.eventLoop) }
            state.withLockedValue { ($0.hasHead, $0.inflater) = (true, bound) }
        } catch {
            return task.eventLoop.makeFailedFuture(error)
        }
        transport.learn(key, isHTTP2: head.version.major == 2, on: task.eventLoop)
        return forward(.head(ResponseHead(head)), on: task.eventLoop)
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>,
        _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        guard buffer.readableBytes > 0 else { return task.eventLoop.makeSucceededVoidFuture() }
        let inflater = state.withLockedValue { state in
            state.received += buffer.readableBytes
            return state.inflater
        }
        guard let inflater else {
            return forward(.body(Data(buffer: buffer)), on: task.eventLoop)
        }
        inflater.value.append(buffer)
        state.withLockedValue { $0.isInflating = true }
        let promise = task.eventLoop.makePromise(of: Void.self)
        inflate(inflater, on: task.eventLoop, promise)
        return promise.futureResult
    }

    /// Forwards the decompressed bytes of a part, as far as the receiver takes them.
    ///
    /// - Parameters:
    ///   - inflater: The decompressor, which has the part.
    ///   - loop: The event loop.
    ///   - promise: The promise to complete when all of the part was forwarded or dropped.
    private func inflate(
        _ inflater: NIOLoopBound<Inflater>,
        on loop: any EventLoop,
        _ promise: EventLoopPromise<Void>
    ) {
        var count = 0
        do {
            while state.withLockedValue({ !$0.isOver && !$0.isCancelled }),
                let piece = try inflater.value.next()
            {
                count += piece.count
                let room = forwardNext(.body(piece), on: loop)
                if let room {
                    return room.futureResult.whenComplete { _ in
                        self.inflate(inflater, on: loop, promise)
                    }
                }
                if count >= Self.maximumTurn {
                    return loop.execute { self.inflate(inflater, on: loop, promise) }
                }
            }
            hasInflated(.success(()), on: loop, promise)
        } catch {
            hasInflated(.failure(error), on: loop, promise)
        }
    }

    private func hasInflated(
        _ result: Result<Void, any Error>,
        on loop: any EventLoop,
        _ promise: EventLoopPromise<Void>
    ) {
        let isLast = state.withLockedValue { state in
            state.isInflating = false
            return state.endsAfterInflating
        }
        promise.completeWith(result)
        guard isLast else { return }
        switch result {
        case .success: complete(on: loop)
        case .failure(let error): fail(error, hadHead: true, on: loop)
        }
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        if beginsAgain(after: error, on: task.eventLoop) { return }
        let (isCancelled, hasHead, received, isInflating, reason) = state.withLockedValue { state in
            (
                state.isCancelled, state.hasHead, state.received, state.isInflating,
                state.refusals.error(after: error, isSent: state.hasSentHead)
            )
        }
        if let error = error as? UnsendableBody {
            finish(
                .failed(TransportError(.other, underlying: error.underlying)),
                on: task.eventLoop
            )
        } else if isCancelled {
            finish(.cancelled, on: task.eventLoop)
        } else if let answer = error as? EarlyAnswer, answer.bodyBytes == received {
            if isInflating {
                state.withLockedValue { $0.endsAfterInflating = true }
            } else {
                complete(on: task.eventLoop)
            }
        } else {
            fail(reason, hadHead: hasHead, on: task.eventLoop)
        }
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {
        complete(on: task.eventLoop)
    }

    /// Ends the exchange at the end of its response.
    private func complete(on loop: any EventLoop) {
        let (inflater, received, isCancelled) = state.withLockedValue { state in
            (state.inflater, state.received, state.isCancelled)
        }
        // A response without a body, such as one to HEAD, may name a coding, too.
        if received == 0 || inflater?.value.isComplete ?? true {
            finish(nil, on: loop)
        } else if isCancelled {
            finish(.cancelled, on: loop)
        } else {
            fail(BrokenCompression.truncated, hadHead: true, on: loop)
        }
    }

    /// Whether the exchange uses a tunnel through an HTTP proxy and its request wasn't sent yet.
    private var isTunneling: Bool {
        let proxy: AsyncHTTPClientTransport.Proxy? =
            switch route {
            case .direct: transport.configuration.proxy
            case .tunnel(let proxy): proxy
            case .forwarded, .unusable: nil
            }
        guard case .http = proxy else { return false }
        return state.withLockedValue { !$0.hasSentHead }
    }

    private func fail(_ error: any Error, hadHead: Bool, on loop: any EventLoop) {
        let kind = TransportErrorClassifier.kind(
            of: error,
            hadHead: hadHead,
            isTunneling: isTunneling
        )
        finish(.failed(TransportErrorClassifier.error(kind, error, by: route)), on: loop)
    }

    /// Resends a request that the server didn't process, whatever its method (RFC 9113, section 8.7).
    ///
    /// AsyncHTTPClient itself gives up requests that it was about to send when the connection closed. After the connect
    /// timeout, it also gives up those that wait until the server's limit of streams admits them.
    ///
    /// - Parameters:
    ///   - error: The error of the request.
    ///   - loop: The event loop for the reports.
    /// - Returns: Whether the request is resent. ``Refusals`` limits the number of resends after a refusal, and a body that
    ///   can be read only once isn't resent.
    private func beginsAgain(after error: any Error, on loop: any EventLoop) -> Bool {
        let isGivenUp = Refusals.isGivenUp(error)
        let isWaiting =
            error as? HTTPClientError == .getConnectionFromPoolTimeout && transport.isBusy(key)
        guard isGivenUp || isWaiting || error is UnprocessedRequest else { return false }
        let answers = transport.answers(from: key)
        let (isAllowed, writer) = state.withLockedValue { state -> (Bool, BodyWriter?) in
            guard !state.isCancelled, !state.isOver, !state.hasHead,
                !state.hasSentHead || !isGivenUp && request.body?.sequence == nil,
                isWaiting || state.refusals.allowsAnother(after: error, answers: answers)
            else { return (false, nil) }
            return (true, state.writer)
        }
        guard isAllowed else { return false }
        writer?.stop()
        loop.execute { self.begin(on: loop, isFirst: false) }
        return true
    }

    /// Forwards an event to the receiver.
    ///
    /// The future completes when there is room for more.
    private func forward(
        _ event: TransportEvent,
        on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        forwardNext(event, on: loop)?.futureResult ?? loop.makeSucceededVoidFuture()
    }

    /// Forwards an event to the receiver.
    ///
    /// - Returns: The promise that completes when there is room for more; nil if there is room now.
    private func forwardNext(
        _ event: TransportEvent,
        on loop: any EventLoop
    ) -> EventLoopPromise<Void>? {
        guard !state.withLockedValue({ $0.isOver }) else { return nil }
        receiver.receive(event)
        return state.withLockedValue { state -> EventLoopPromise<Void>? in
            guard state.isPaused, !state.isCancelled, !state.isOver else { return nil }
            let room = loop.makePromise(of: Void.self)
            state.room = room
            return room
        }
    }
}
