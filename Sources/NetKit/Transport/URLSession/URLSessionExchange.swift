import Foundation
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request over URLSession: queued, running, or ended.
///
/// URLSession's reports about the task arrive here, on the delegate's queue. The exchange forwards them to the receiver
/// in order.
final class URLSessionExchange: TransportExchange {
    private enum Phase {
        case new
        case waiting(URLSessionTransport.Slots.Ticket)
        case starting
        case running(URLSessionTask)
        case over
    }

    private struct State: ~Copyable {
        var phase = Phase.new
        var isCancelled = false
        /// The reason for the failure if NetKit itself cancels the task.
        var refusal: TransportError?
        var hasHead = false
        var isBasicChallenge = false
        /// The number of body bytes still to come, or nil if only URLSession knows.
        var bytesLeft: Int64?
        /// See ``endLongRedirect()``.
        var redirect: LongRedirect

        var isOver: Bool {
            if case .over = phase { true } else { false }
        }
    }

    let request: EncodedRequest
    let slot: URLSessionTransport.Slot
    /// The error of the body's reader, if any.
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
        state = Locked(State(redirect: LongRedirect(isSent: request.body == nil)))
        self.receiver = receiver
        self.transport = transport
    }

    func cancel() {
        let phase = state.withLock { state -> Phase? in
            guard !state.isCancelled else { return nil }
            state.isCancelled = true
            return state.phase
        }
        switch phase {
        case .waiting(let ticket): leaveQueue(ticket)
        case .running(let task): stop(task)
        case .new, .starting, .over, nil: break
        }
    }

    /// Ends a queued exchange.
    ///
    /// If this race is lost, the exchange has a connection, and `run` sees the cancellation.
    private func leaveQueue(_ ticket: URLSessionTransport.Slots.Ticket) {
        guard transport.leaveQueue(ticket) else { return }
        transport.onLane {
            if self.end() { self.receiver.receive(.finished(.cancelled)) }
        }
    }

    /// Queues the exchange.
    ///
    /// ``run()`` follows when a connection is free.
    func wait(with ticket: URLSessionTransport.Slots.Ticket) {
        let isCancelled = state.withLock { state in
            if case .new = state.phase { state.phase = .waiting(ticket) }
            return state.isCancelled
        }
        if isCancelled { leaveQueue(ticket) }
    }

    /// Starts the task, because a connection is free.
    ///
    /// The idle timeout starts here, even if a busy URLSession delays the task.
    func run() {
        let isCancelled = state.withLock { state in
            state.phase = .starting
            return state.isCancelled
        }
        if !isCancelled { receiver.receive(.started) }
        transport.tasks.async { self.start() }
    }

    private func start() {
        guard !state.withLock({ $0.isCancelled }) else { return finishRunning(.cancelled) }
        let task = transport.makeTask(for: self)
        task.resume()
        let wasCancelled = state.withLock { state in
            if case .starting = state.phase { state.phase = .running(task) }
            return state.isCancelled
        }
        if wasCancelled || hasUnnoticedFailure { stop(task) }
    }

    #if canImport(FoundationNetworking)
    /// False, because URLSession notices when it can't read a body.
    private var hasUnnoticedFailure: Bool { false }
    #else
    /// Whether the body couldn't be read, perhaps before the task was known.
    private var hasUnnoticedFailure: Bool { bodyFailure?.withLock { $0 != nil } ?? false }

    /// Ends the task whose body can't be read.
    func bodyFailed() {
        let task = state.withLock { state -> URLSessionTask? in
            if case .running(let task) = state.phase { task } else { nil }
        }
        if let task { stop(task) }
    }
    #endif

    // MARK: URLSession's reports, one at a time

    /// Reports the bytes of the body that were read or sent, on the delegate's queue.
    func sent(_ count: Int64) {
        if count == request.body?.length { state.withLock { $0.redirect.isSent = true } }
        if !isOver { receiver.receive(.sent(count)) }
    }

    /// Receives a head.
    ///
    /// Informational heads only precede the final one.
    func received(_ response: URLResponse, for task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else {
            return state.withLock { $0.redirect.hasInterim = true }
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
        // A decompressed body is longer than announced.
        let length = BodyFraming.isPlain(response) ? framing.length : nil
        let isOver = state.withLock { state in
            state.hasHead = true
            // If the request has a body, it may still be uploading.
            if request.body == nil { state.bytesLeft = length }
            return state.isOver
        }
        if !isOver { receiver.receive(.head(ResponseHead(response))) }
    }

    /// Receives bytes of the body.
    ///
    /// With the last announced byte, the response is complete. The receiver is notified at once, while URLSession is
    /// still cleaning up.
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

    /// Records a basic authentication challenge, so that the 401 is the response.
    func challenged() { state.withLock { $0.isBasicChallenge = true } }

    /// Fails the exchange when URLSession wants to resend the body over a new connection.
    func askedToReplay(_ task: URLSessionTask) {
        fail(task, TransportError(.connectionLost))
    }

    func completed(_ task: URLSessionTask, error: (any Error)?) {
        if error == nil, !state.withLock({ $0.hasHead }), let response = task.response {
            received(response, for: task)
        }
        finishRunning(failure(error))
    }

    private func failure(_ error: (any Error)?) -> ExchangeFailure? {
        let (refusal, isCancelled, hasHead, isChallenge) = state.withLock {
            ($0.refusal, $0.isCancelled, $0.hasHead, $0.isBasicChallenge)
        }
        if let refusal { return .failed(refusal) }
        if let failure = bodyFailure?.withLock({ $0 }) {
            return .failed(TransportError(.other, underlying: failure))
        }
        guard let error else { return hasHead ? nil : .failed(TransportError(.malformedResponse)) }
        if isCancelled { return .cancelled }
        if isChallenge, hasHead { return nil }
        let kind = TransportErrorClassifier.kind(of: error, hadHead: hasHead)
        let reason = TransportErrorClassifier.reason(of: error, kind, for: request.url)
        // Apple platforms report an NSError, whose words wouldn't have the code.
        let underlying = (error as? URLError) ?? error
        return .failed(TransportError(kind, underlying: underlying, reason: reason))
    }

    // MARK: Redirects

    /// Ends a redirect whose body keeps arriving.
    ///
    /// Called once per second.
    func endLongRedirect() {
        let task = state.withLock { state -> URLSessionTask? in
            guard !state.hasHead, !state.isCancelled, state.refusal == nil,
                case .running(let task) = state.phase
            else { return nil }
            return task
        }
        guard let task else { return }
        let length = task.countOfBytesExpectedToReceive
        if state.withLock({ $0.redirect.isOverdue(expecting: length) }) {
            refuse(task, "a redirect with a body that lasts for seconds, over URLSession on Linux")
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

    /// Cancels a task on the lane, because canceling elsewhere can race with its completion.
    private func stop(_ task: URLSessionTask) {
        transport.onLane {
            if !self.isOver { task.cancel() }
        }
    }

    private func finishRunning(_ failure: ExchangeFailure?) {
        guard end() else { return }
        // Returns the connection first, so that the next call finds it free.
        transport.giveBackConnection(of: self)
        receiver.receive(.finished(failure))
    }

    /// Marks the exchange as ended and returns whether it was still active.
    private func end() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.phase = .over
            return true
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    #if canImport(FoundationNetworking)
    private static let abortsOnTrailers = true
    #else
    private static let abortsOnTrailers = false
    #endif
}

/// A redirect with a long body that URLSession may be holding back.
///
/// URLSession reports a redirect only when its body is complete. Until then, it collects the body on the queue that all
/// sessions share, and copies all of it for each piece, without limit.
struct LongRedirect {
    /// The maximum length of the body, in bytes, if the length is known.
    private static let maximumLength: Int64 = 64 << 10
    /// The maximum time for the body to arrive, in seconds.
    private static let maximumSeconds = 8

    /// Whether the request was sent.
    ///
    /// Until then, the end of the response must wait.
    var isSent: Bool
    /// Whether an informational head has arrived.
    ///
    /// From then on, every task looks as it does during a redirect.
    var hasInterim = false
    /// The number of looks that indicated a redirect.
    private var seconds = 0

    init(isSent: Bool) { self.isSent = isSent }

    /// Looks at the task, once per second.
    ///
    /// A short redirect looks the same until URLSession reports it, which can take seconds on a busy machine.
    ///
    /// - Parameter length: The task's expected length, which shows that the head has arrived: it is 0 before, and
    ///   negative for an unknown or empty length.
    /// - Returns: Whether the redirect has lasted too long.
    mutating func isOverdue(expecting length: Int64) -> Bool {
        guard isSent, !hasInterim, length < 0 || length > Self.maximumLength else { return false }
        seconds += 1
        return seconds > Self.maximumSeconds
    }
}
