import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way over URLSession: waiting for a connection, running, or over.
///
/// Everything that URLSession reports about its task arrives here, on the queue that calls its
/// delegate, and goes on to the receiver from there, one event after the other.
final class URLSessionExchange: TransportExchange {
    private enum Phase {
        case new
        case waiting(URLSessionTransport.Slots.Ticket)
        case starting
        case running(URLSessionTask)
        case over
    }

    private struct State {
        var phase = Phase.new
        var isCancelled = false
        /// Set where the cancelling is our own doing, and says what the exchange failed with.
        var refusal: TransportError?
        var hasHead = false
        var isBasicChallenge = false
        /// How much of the body is still to come, nil where only URLSession can tell.
        var bytesLeft: Int64?
        /// Whether URLSession may hold a redirect back from us whose body goes on; see ``endLongRedirect()``.
        var mayBeRedirected: Bool
        /// How often in a row it looked as if it did.
        var redirectLooks = 0

        var isOver: Bool {
            if case .over = phase { true } else { false }
        }
    }

    let request: EncodedRequest
    let slot: URLSessionTransport.Slot
    /// What the body's reader threw, if it did.
    let bodyFailure: Locked<(any Error)?>?
    private let receiver: any TransportReceiver
    private let transport: URLSessionTransport
    private let state: Locked<State>

    init(
        request: EncodedRequest,
        slot: URLSessionTransport.Slot,
        receiver: any TransportReceiver,
        transport: URLSessionTransport
    ) {
        self.request = request
        bodyFailure = request.body == nil ? nil : Locked(nil)
        self.slot = slot
        // With a body that is still on its way, the end of the response has to wait for that.
        state = Locked(State(mayBeRedirected: request.body == nil))
        self.receiver = receiver
        self.transport = transport
    }

    func cancel() {
        enum Action {
            case leave(URLSessionTransport.Slots.Ticket)
            case stop(URLSessionTask)
            case nothing
        }
        let action = state.withLock { state -> Action in
            guard !state.isCancelled else { return .nothing }
            state.isCancelled = true
            switch state.phase {
            case .waiting(let ticket): return .leave(ticket)
            case .running(let task): return .stop(task)
            case .new, .starting, .over: return .nothing
            }
        }
        switch action {
        case .leave(let ticket):
            // Losing this race means that the connection is ours now, and `run` sees the mark.
            if transport.leaveQueue(ticket) { transport.onLane { self.finish(.cancelled) } }
        case .stop(let task): stop(task)
        case .nothing: break
        }
    }

    /// Takes a place in the queue; ``run()`` follows when there is a connection.
    func wait(with ticket: URLSessionTransport.Slots.Ticket) {
        let isCancelled = state.withLock { state in
            if case .new = state.phase { state.phase = .waiting(ticket) }
            return state.isCancelled
        }
        if isCancelled, transport.leaveQueue(ticket) {
            transport.onLane { self.finish(.cancelled) }
        }
    }

    /// Has the task started: there is a connection for it.
    ///
    /// Idle time counts from now on, even if URLSession is busy and makes no task for a while.
    func run() {
        let isCancelled = state.withLock { state in
            state.phase = .starting
            return state.isCancelled
        }
        if !isCancelled { receiver.receive(.started) }
        transport.onTaskQueue { self.start() }
    }

    private func start() {
        guard !state.withLock({ $0.isCancelled }) else { return finishRunning(.cancelled) }
        let task = transport.makeTask(for: self)
        task.resume()
        let wasCancelled = state.withLock { state in
            if case .starting = state.phase { state.phase = .running(task) }
            return state.isCancelled
        }
        if wasCancelled { stop(task) }
    }

    // MARK: What URLSession reports, one call at a time

    /// Bytes of the body have been read, on the queue that calls the delegate.
    func sent(_ count: Int64) {
        if count == request.body?.length { state.withLock { $0.mayBeRedirected = true } }
        forward(.sent(count))
    }

    /// Takes a head; informational ones only announce the real one.
    func received(_ response: URLResponse, for task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else {
            // From here on the task looks as it does during a redirect.
            return state.withLock { $0.mayBeRedirected = false }
        }
        let framing = BodyFraming(response)
        guard !framing.contradictsItself else {
            return fail(task, TransportError(.malformedResponse))
        }
        guard !framing.announcesTrailers || !Self.abortsOnTrailers else {
            refuse(
                task,
                "a response with trailers (RFC 9110, section 6.5) over URLSession on Linux"
            )
            return
        }
        // What URLSession decompresses is longer than it was announced.
        let length = BodyFraming.isPlain(response) ? framing.length : nil
        let isOver = state.withLock { state in
            state.hasHead = true
            // With a body of its own, the request may still be on its way.
            if request.body == nil { state.bytesLeft = length }
            return state.isOver
        }
        if !isOver { receiver.receive(.head(ResponseHead(response))) }
    }

    /// Takes bytes of the body.
    ///
    /// With the last one that was announced the response is whole: the receiver hears of it now,
    /// while URLSession still puts its own things in order.
    func received(_ data: Data, for task: URLSessionTask) {
        let (isOver, isLast) = state.withLock { state in
            guard let bytesLeft = state.bytesLeft, !state.isOver else {
                return (state.isOver || state.refusal != nil, false)
            }
            state.bytesLeft = bytesLeft - Int64(data.count)
            return (false, bytesLeft == Int64(data.count))
        }
        guard !isOver else { return }
        receiver.receive(.body(data))
        if isLast { finishRunning(nil) }
    }

    /// Basic authentication is asked for: the 401 stands as the response.
    func challenged() {
        state.withLock { $0.isBasicChallenge = true }
    }

    /// URLSession is about to send the body again over a new connection, which is not its decision.
    func askedToReplay(_ task: URLSessionTask) {
        fail(task, TransportError(.connectionLost))
    }

    func completed(_ task: URLSessionTask, error: (any Error)?) {
        let (hadHead, isChallenge) = state.withLock { ($0.hasHead, $0.isBasicChallenge) }
        if !hadHead, error == nil, let response = task.response {
            received(response, for: task)
        }
        finishRunning(failure(error, hadHead: hadHead, isChallenge: isChallenge))
    }

    private func failure(
        _ error: (any Error)?,
        hadHead: Bool,
        isChallenge: Bool
    ) -> TransportFailure? {
        let (refusal, isCancelled, hasHead) = state.withLock {
            ($0.refusal, $0.isCancelled, $0.hasHead)
        }
        if let refusal { return .failed(refusal) }
        if let failure = bodyFailure?.withLock({ $0 }) {
            return .failed(TransportError(.other, underlying: failure))
        }
        guard let error else {
            return hasHead ? nil : .failed(TransportError(.malformedResponse))
        }
        if isCancelled { return .cancelled }
        if isChallenge, hadHead { return nil }
        let kind = TransportErrorClassifier.kind(of: error, hadHead: hadHead)
        let reason = TransportErrorClassifier.reason(of: error, kind)
        return .failed(TransportError(kind, underlying: error, reason: reason))
    }

    // MARK: Redirects

    /// The longest body of a redirect that is waited for, where its length is known.
    private static let longestRedirect: Int64 = 64 << 10

    /// For how many seconds the body of a redirect may go on arriving.
    private static let redirectSeconds = 8

    /// Ends a redirect whose body goes on arriving; called once a second.
    ///
    /// URLSession tells of a redirect when its body is whole. Until then it gathers the body on the queue that all
    /// sessions share, and copies all of it for each piece, without bound. That the head has come shows in the length
    /// that the task expects: 0 before, negative where it is not known or 0. A short redirect looks the same until
    /// URLSession reports it, which a busy machine may delay by seconds.
    func endLongRedirect() {
        let task = state.withLock { state -> URLSessionTask? in
            guard state.mayBeRedirected, !state.hasHead, !state.isCancelled, state.refusal == nil,
                case .running(let task) = state.phase
            else { return nil }
            return task
        }
        guard let task else { return }
        let length = task.countOfBytesExpectedToReceive
        guard length < 0 || length > Self.longestRedirect else { return }
        let isLong = state.withLock { state in
            state.redirectLooks += 1
            return state.redirectLooks > Self.redirectSeconds
        }
        if isLong {
            refuse(task, "a redirect whose body goes on for seconds, over URLSession on Linux")
        }
    }

    // MARK: Ending

    private func refuse(_ task: URLSessionTask, _ feature: String) {
        fail(task, TransportError(.unsupported, underlying: UnsupportedFeature(feature)))
    }

    private func fail(_ task: URLSessionTask, _ error: TransportError) {
        state.withLock { state in
            if state.refusal == nil { state.refusal = error }
        }
        stop(task)
    }

    /// Tasks are cancelled on the lane alone: elsewhere it can meet the task's own completion.
    private func stop(_ task: URLSessionTask) {
        transport.onLane {
            if !self.isOver { task.cancel() }
        }
    }

    private func finishRunning(_ failure: TransportFailure?) {
        guard end() else { return }
        // First of all the connection: the call that follows this one is to find it free.
        transport.giveBackConnection(of: self)
        receiver.receive(.finished(failure))
    }

    func finish(_ failure: TransportFailure?) {
        if end() { receiver.receive(.finished(failure)) }
    }

    /// Whether it was not over yet; it is now.
    private func end() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.phase = .over
            return true
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    private func forward(_ event: TransportEvent) {
        if !isOver { receiver.receive(event) }
    }

    #if canImport(FoundationNetworking)
    private static let abortsOnTrailers = true
    #else
    private static let abortsOnTrailers = false
    #endif
}
