import Foundation
import NetKitSupport

/// The last layer, which sends one request over the transport.
struct ExchangeLayer: Layer {
    let transport: any Transport
    let limits: ExchangeLimits
    /// Receives the head of each response, or nil without a cookie jar.
    let headReceiver: (any HeadReceiver)?

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        let request = request.withPlainRange()
        call.reporter?.report(.sending(request))
        let exchange = Exchange(of: request, in: call, limits: limits, headReceiver: headReceiver)
        return result(await exchange.run(over: transport), of: exchange, sending: request, in: call)
    }

    @inline(never)
    private func result(
        _ outcome: AttemptResult.Outcome,
        of exchange: Exchange,
        sending request: EncodedRequest,
        in call: CallContext
    ) -> AttemptResult {
        let measured = exchange.measured
        let queued = call.queuedTime ?? call.clock.now
        var parts = AttemptResult.Parts(request, outcome)
        parts.attempt = call.attempt
        parts.isSent = true
        parts.phases = measured.times.phases(since: queued, over: measured.head?.connection)
        parts.streamedLength = measured.streamedLength
        if case .failure = outcome { parts.head = measured.head }
        let result = AttemptResult(parts)
        if let reporter = call.reporter, let start = call.queuedDate {
            let duration = call.clock.elapsed(since: queued)
            reporter.report(.exchanged(result, from: start, lasting: duration))
        }
        return result
    }
}

/// Receives each response's head when it arrives, before its body and a stream's reader.
package protocol HeadReceiver: AnyObject, Sendable {
    /// Receives a head, including those of redirects and failed attempts.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - request: The request as sent.
    ///   - call: The call that the request belongs to.
    func receive(_ head: ResponseHead, to request: EncodedRequest, in call: CallContext)
}

/// The limits of an exchange.
struct ExchangeLimits: Sendable {
    /// The maximum size of a body in memory, in bytes.
    let maximumResponseSize: Int
    /// The idle timeout for a call without its own.
    let idleTimeout: Duration
}

/// One request and its response on one connection.
///
/// The exchange collects the response or passes its body to a sink. It ends with the complete response, the idle
/// timeout, or a stop of the call.
final class Exchange: TransportReceiver, Stoppable, DeadlineOwner {
    typealias Outcome = AttemptResult.Outcome

    private struct State: ~Copyable {
        var collector: BoundedResponse
        var continuation: CheckedContinuation<Outcome, Never>?
        var exchange: (any TransportExchange)?
        var isOver = false
        /// The outcome, if it was known before `run` waited for it.
        var earlyOutcome: Outcome?
        /// The time of the last byte in either direction.
        ///
        /// Nil while waiting for a connection.
        var lastActivity: UInt64?
        var deadlineToken: DeadlineClock.Token?
        /// The number of body bytes received.
        var received: Int64 = 0
        /// The part of the response that the sink takes, or nil.
        var content: SinkContent?
        var times = ExchangeTimes()
        /// The response's head, whatever happened to its body.
        var head: ResponseHead?
        /// The number of body bytes passed to the sink, or nil if it takes none.
        var streamedLength: Int64?
        /// Whether backpressure is applied, so that silence isn't the server's fault.
        var isHeldBack = false
    }

    /// The work to do outside of the lock when an exchange ends.
    private typealias Ending = (
        outcome: Outcome, continuation: CheckedContinuation<Outcome, Never>?,
        exchange: (any TransportExchange)?, deadlineToken: DeadlineClock.Token?
    )

    private let state: Locked<State>
    private let request: EncodedRequest
    private let call: CallContext
    private let idleTimeout: Duration
    private let headReceiver: (any HeadReceiver)?
    private let sink: (any BodySink)?

    /// Creates an exchange without starting it.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - call: The call that the request belongs to.
    ///   - limits: The endpoint's limits, for a call without its own.
    ///   - headReceiver: Receives the response's head when it arrives. Defaults to nil.
    @inline(never)
    init(
        of request: EncodedRequest,
        in call: CallContext,
        limits: ExchangeLimits,
        headReceiver: (any HeadReceiver)? = nil
    ) {
        state = Locked(State(collector: BoundedResponse(limit: limits.maximumResponseSize)))
        self.request = request
        self.call = call
        idleTimeout = limits.idleTimeout
        self.headReceiver = headReceiver
        sink = call.sink?()
    }

    private var clock: DeadlineClock { call.clock }

    /// Sends the request and waits for the outcome.
    func run(over transport: any Transport) async -> Outcome {
        call.control.enter(self)
        defer { call.control.leave(self) }
        // The code that removes the continuation from the state resumes it. With unchecked continuations, the thread
        // sanitizer reports false races.
        return await withCheckedContinuation { continuation in
            let early = state.withLock { state -> Outcome? in
                if !state.isOver { state.continuation = continuation }
                return state.earlyOutcome
            }
            if let early {
                continuation.resume(returning: early)
            } else {
                start(over: transport)
            }
        }
    }

    private func start(over transport: any Transport) {
        let exchange = transport.send(request, to: self)
        let isOver = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return state.isOver
        }
        if isOver { exchange.cancel() }
        // Much of the body may have arrived before the exchange was known and could be paused.
        if sink != nil { makeRoom() }
    }

    func receive(_ event: TransportEvent) {
        switch event {
        case .started:
            started()
            call.reporter?.report(.started)
        case .sent(let count):
            touch()
            if count == bodyLength { call.reporter?.report(.sent) }
            call.plan.onTransfer? { sentCount(count) }
        case .head(let head):
            received(head)
        case .body(let data):
            received(data)
        case .finished(let failure):
            finish(with: failure)
        }
    }

    /// The timing, the response's head, and the number of body bytes passed to the sink.
    ///
    /// Final once the exchange has ended.
    ///
    /// The number is nil if the sink took none.
    var measured: (times: ExchangeTimes, head: ResponseHead?, streamedLength: Int64?) {
        state.withLock { ($0.times, $0.head, $0.streamedLength) }
    }

    func stop(_ reason: StopReason) {
        finish(.failure(CallFailure(reason)))
    }

    private func received(_ head: ResponseHead) {
        guard !head.headers.hasTooManyMarks else {
            let reason = CombiningMarks.problemOfField
            return finish(.failure(.transport(TransportError(.malformedResponse, reason: reason))))
        }
        let now = clock.now
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.collector.receive(head)
            (state.lastActivity, state.times.head) = (now, now)
            state.head = head
            return false
        }
        // A stopped exchange may still receive events, which are dropped.
        guard !isOver else { return }
        headReceiver?.receive(head, to: request, in: call)
        guard let sink else { return }
        do {
            let content = try sink.begin(head)
            state.withLock { state in
                state.streamedLength = content == nil ? nil : 0
                state.content = content
            }
        } catch {
            fail(error)
        }
    }

    private func received(_ data: Data) {
        let now = clock.now
        let taken = state.withLock {
            state -> (fits: Bool, sink: (any BodySink)?, isUnderWay: Bool)? in
            guard !state.isOver else { return nil }
            state.lastActivity = now
            state.received += Int64(data.count)
            state.streamedLength? += Int64(data.count)
            let sink = state.streamedLength == nil ? nil : self.sink
            // Until the exchange is known, it can't be paused.
            let isUnderWay = state.exchange == nil || state.isHeldBack
            return (sink != nil || state.collector.receive(data), sink, isUnderWay)
        }
        guard let (fits, sink, isUnderWay) = taken else { return }
        guard fits else {
            let limit = state.withLock { $0.collector.limit }
            return finish(.failure(.transport(TransportError(responseLargerThan: limit))))
        }
        if let sink {
            do {
                try sink.write(data, beyondLimit: isUnderWay)
            } catch {
                return fail(error)
            }
            makeRoom()
        }
        call.plan.onTransfer? { receivedCount() }
    }

    /// Pauses the transport, if it supports that, until a full sink has room.
    private func makeRoom() {
        guard let sink, sink.isFull else { return }
        let exchange = state.withLock { state -> (any TransportExchange)? in
            guard !state.isHeldBack, let exchange = state.exchange else { return nil }
            state.isHeldBack = true
            return exchange
        }
        guard let exchange else { return }
        guard exchange.pause() else { return state.withLock { $0.isHeldBack = false } }
        let goOn: @Sendable () -> Void = {
            self.touch { $0.isHeldBack = false }
            exchange.resume()
        }
        if !sink.awaitRoom(goOn) { goOn() }
    }

    private var bodyLength: Int64? { request.body?.length }

    /// Whether the call's progress covers the upload.
    private var isUpload: Bool { !call.plan.isDownload && hasBody }

    private var hasBody: Bool { request.body?.hasContent ?? false }

    private func sentCount(_ count: Int64) -> TransferCount? {
        guard hasBody else { return nil }
        return TransferCount(
            isUpload: true,
            count: count,
            total: request.body?.knownLength,
            since: state.withLock { $0.times.start } ?? 0,
            isMain: isUpload
        )
    }

    private func receivedCount() -> TransferCount? {
        let (head, content, count, start) = state.withLock {
            ($0.collector.head, $0.content, $0.received, $0.times.head)
        }
        guard let head, let start, head.status.isSuccessful else { return nil }
        return TransferCount(
            receiving: count,
            of: head,
            into: content,
            since: start,
            isMain: !isUpload
        )
    }

    /// Handles the end of the transport's exchange.
    private func finish(with failure: ExchangeFailure?) {
        switch failure {
        case nil:
            do {
                // An exchange that has already failed, for example by its sink, isn't complete.
                if let sink {
                    guard !state.withLock({ $0.isOver }) else { return }
                    try sink.end()
                }
                finish(isExchangeOver: true) { state in
                    guard let head = state.collector.head else {
                        return .failure(.transport(TransportError(.malformedResponse)))
                    }
                    let body = state.collector.body
                    return .response(HTTPResponse(to: self.request, head, body: body))
                }
            } catch {
                fail(error)
            }
        case .cancelled: finish(isExchangeOver: true) { _ in .failure(.cancelled) }
        case .failed(let error): finish(isExchangeOver: true) { _ in .failure(.transport(error)) }
        }
    }

    /// Ends the exchange because the sink failed.
    private func fail(_ error: any Error) {
        finish(.failure(.transport(TransportError(ofSink: error))))
    }

    private func finish(_ outcome: Outcome) {
        finish(isExchangeOver: false) { _ in outcome }
    }

    /// Ends the exchange once.
    ///
    /// Later outcomes are ignored.
    private func finish(isExchangeOver: Bool, _ outcome: (inout State) -> Outcome) {
        let now = clock.now
        let ending = state.withLock { state -> Ending? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.times.end = now
            let outcome = outcome(&state)
            if state.continuation == nil { state.earlyOutcome = outcome }
            defer {
                (state.continuation, state.exchange, state.deadlineToken) = (nil, nil, nil)
                state.collector = BoundedResponse(limit: 0)
            }
            return (outcome, state.continuation, state.exchange, state.deadlineToken)
        }
        guard let ending else { return }
        sink?.abandon()
        if !isExchangeOver { ending.exchange?.cancel() }
        // Removes the token first, so that a manual clock has no entry of an ended exchange.
        if let token = ending.deadlineToken { clock.remove(token) }
        ending.continuation?.resume(returning: ending.outcome)
    }
}

// MARK: - Idle timeout

extension Exchange {
    private func started() {
        let now = clock.now
        let end = limit(from: now)
        let token = clock.insert(self, at: end)
        let isOver = state.withLock { state in
            state.lastActivity = now
            state.times.start = now
            if !state.isOver { state.deadlineToken = token }
            return state.isOver
        }
        if isOver { return clock.remove(token) }
        // A timeout that was changed before the token was known.
        if limit(from: now) != end { move(token, from: now) }
    }

    private func move(_ token: DeadlineClock.Token, from activity: UInt64) {
        let end = limit(from: activity)
        clock.move(token, to: end)
        // A clock that is moved by hand doesn't tell of a time that has passed.
        if end <= clock.now { _ = deadlineReached(at: clock.now) }
    }

    private func touch(_ change: (inout State) -> Void = { _ in }) {
        let now = clock.now
        state.withLock { state in
            state.lastActivity = now
            change(&state)
        }
    }

    func idleTimeoutChanged() {
        let (token, lastActivity) = state.withLock { ($0.deadlineToken, $0.lastActivity) }
        guard let token, let lastActivity else { return }
        move(token, from: lastActivity)
    }

    func deadlineReached(at now: UInt64) -> UInt64? {
        let (activity, isHeldBack) = state.withLock { ($0.lastActivity, $0.isHeldBack) }
        let limit = limit(from: isHeldBack ? now : activity ?? now)
        guard limit <= now else { return limit }
        let timeout = call.idleTimeout(orDefault: idleTimeout)
        finish(.failure(.timeout(.idle(TimeoutDetail(limit: timeout)))))
        return nil
    }

    private func limit(from time: UInt64) -> UInt64 {
        DeadlineClock.time(call.idleTimeout(orDefault: idleTimeout), after: time)
    }
}

/// The start times of an exchange's phases, by the endpoint's clock.
struct ExchangeTimes: Sendable {
    /// The time when sending started, or nil while waiting for a connection.
    var start: UInt64?
    /// The time when the final head arrived.
    var head: UInt64?
    /// The time when the exchange ended.
    var end: UInt64?

    /// Computes the phases of an ended exchange.
    ///
    /// - Parameters:
    ///   - queued: The time when the request was queued.
    ///   - connection: Facts about the connection.
    /// - Returns: The durations of the phases.
    func phases(since queued: UInt64, over connection: ConnectionFacts?) -> ExchangePhases {
        let start = start ?? end ?? queued
        return ExchangePhases(
            queue: Self.duration(queued, start),
            head: head.map { Self.duration(start, $0) },
            body: head.map { Self.duration($0, end ?? $0) },
            connection: connection
        )
    }

    private static func duration(_ start: UInt64, _ end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end > start ? end - start : 0))
    }
}

/// The layer that asks the request for the status of each complete response (``Request/status(of:)``).
///
/// The layers outside of it, such as authentication, cache and retries, see the status that the request returns.
struct StatusLayer: Layer {
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        var result = await next.send(request, in: call)
        // The response that 304 confirms was asked about when it was stored.
        guard let response = result.response, response.status != .notModified else { return result }
        let status = call.plan.status(response)
        if status != response.status {
            result.change { $0.outcome = .response(response.read(as: status)) }
        }
        return result
    }
}
