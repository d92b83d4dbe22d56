package import Foundation
package import NetKitSupport

/// Retries a request as long as the retry policy allows.
///
/// The layers below make one attempt. This layer is responsible for delays, `Retry-After`, the retry budget,
/// idempotency keys, and the call's history.
struct RetryLayer: Layer {
    /// The endpoint's policy, for requests without their own.
    let policy: RetryPolicy
    let budgets: Locked<RetryBudgets>
    /// The queue to pause when a host asks for a delay.
    let gate: RequestQueue
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        var (request, call) = (request, call)
        var (sentAttempts, retries) = (0, 0)
        var retried: Retried?
        call.attempt = call.control.nextAttempt
        if let stopped = call.control.stopped { return unsent(request, stopped, in: call) }
        while true {
            let start = call.clock.now
            // An interceptor around this layer may send others before, or at once.
            call.attempt = call.control.beginAttempt()
            addIdempotencyKey(to: &request, in: call)
            call.reporter?.report(.attempt(call.attempt))
            let result = await next.send(request, in: call)
            if result.isSent {
                sentAttempts += 1
                if sentAttempts == 1 { count(request, in: call) }
            } else if let retried {
                giveBack(retried, of: request, in: call)
            }
            let (last, wait) = conclude(
                result,
                of: request,
                from: start,
                (sentAttempts, retries),
                in: call
            )
            guard let (delay, start) = wait else {
                return ending(with: last, after: retried, in: call)
            }
            retried = Retried(result: last, decided: start)
            await call.control.wait(for: delay, since: start)
            retries += 1
            call.attempt = call.control.nextAttempt
            if let stopped = call.control.stopped {
                return unsent(request, stopped, after: retried, in: call)
            }
        }
    }

    /// An attempt that another one follows.
    private struct Retried {
        /// The result, with its body in memory until the next attempt ends, because an open circuit may refuse that.
        let result: AttemptResult
        /// The time of the decision, when the retry was taken from the budget.
        let decided: UInt64
    }

    /// Returns the result of a call that ends with an attempt.
    @inline(never)
    private func ending(
        with last: AttemptResult,
        after retried: Retried?,
        in call: CallContext
    ) -> AttemptResult {
        guard var result = retried?.result, !last.isSent,
            case .failure(.interceptor(let error)) = last.outcome, error is CircuitOpenError
        else { return last }
        // What went wrong says more than that the circuit is open now. The operation hears of both.
        call.plan.onAttempt?(last)
        result.change { $0.history = last.history }
        return result
    }

    /// Returns the result of a call that was stopped before an attempt.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reason: The reason for the stop.
    ///   - retried: The attempt that was about to be retried, or nil if this layer sent none. Defaults to nil.
    ///   - call: The call.
    /// - Returns: The result.
    @inline(never)
    private func unsent(
        _ request: EncodedRequest,
        _ reason: StopReason,
        after retried: Retried? = nil,
        in call: CallContext
    ) -> AttemptResult {
        if let retried {
            call.control.noteStoppedDelay()
            giveBack(retried, of: request, in: call)
        }
        let history = call.control.history
        // What went wrong says more than that the time is over.
        if case .totalDeadline = reason, var last = retried?.result {
            last.change { $0.history = history }
            return last
        }
        var result = AttemptResult(request, failure: CallFailure(reason))
        result.change { parts in
            (parts.attempt, parts.history) = (call.attempt, history)
            parts.sentAttempts = retried?.result.sentAttempts ?? 0
        }
        return result
    }

    /// Decides what follows an attempt.
    ///
    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - request: The request.
    ///   - start: The time when the attempt started.
    ///   - counts: The number of attempts of this layer that sent a request, and of its retries.
    ///   - call: The call.
    /// - Returns: The result, and the delay before another attempt, with its start, or nil for none.
    @inline(never)
    private func conclude(
        _ result: AttemptResult,
        of request: EncodedRequest,
        from start: UInt64,
        _ counts: (sent: Int, retries: Int),
        in call: CallContext
    ) -> (AttemptResult, (delay: Duration, start: UInt64)?) {
        let attempt = call.attempt
        if let response = result.response { call.reporter?.report(.received(response)) }
        let next = step(after: result, of: request, counts.retries, in: call)
        let decided = call.clock.now
        let history = note(next, result, from: start, in: call)
        var (result, delay) = (result, nil as Duration?)
        if case .retry(let pause) = next { delay = pause }
        // The operation hears of an attempt that another one follows.
        let onAttempt = delay == nil ? nil : call.plan.onAttempt
        result.change { parts in
            (parts.attempt, parts.sentAttempts, parts.history) = (attempt, counts.sent, history)
            parts.isDebugged = onAttempt != nil
        }
        onAttempt?(result)
        return (result, delay.map { ($0, decided) })
    }

    /// Adds an idempotency key to a POST or PATCH that `retryOnFail` allows.
    ///
    /// Servers can thus detect repetitions.
    private func addIdempotencyKey(to request: inout EncodedRequest, in call: CallContext) {
        guard request.method == .post || request.method == .patch,
            let retries = call.control.settings.retries, retries > 0,
            request.headers[.idempotencyKey] == nil
        else { return }
        request.headers[.idempotencyKey] = call.control.idempotencyKey
    }

    /// Counts a call that was sent for its host's retry budget.
    private func count(_ request: EncodedRequest, in call: CallContext) {
        let policy = policy(in: call)
        guard policy.hasBudget, policy.maximumRetries > 0, let origin = request.origin else {
            return
        }
        let now = call.clock.now
        budgets.withLock { $0.call(origin, at: now) }
    }

    /// Returns a retry that wasn't sent to its host's budget.
    @inline(never)
    private func giveBack(_ retried: Retried, of request: EncodedRequest, in call: CallContext) {
        guard let origin = limitedHost(of: request, in: call) else { return }
        budgets.withLock { $0.giveBack(origin, at: retried.decided) }
    }

    /// Returns the host whose budget limits a request's retries, or nil if none does.
    private func limitedHost(of request: EncodedRequest, in call: CallContext) -> Origin? {
        guard call.control.settings.retries == nil, policy(in: call).hasBudget else { return nil }
        return request.origin
    }
}

// MARK: - Decisions

extension RetryLayer {
    /// Determines the next step by the policy.
    private func step(
        after result: AttemptResult,
        of request: EncodedRequest,
        _ retries: Int,
        in call: CallContext
    ) -> AttemptTrace.Next {
        if result.isSuccessful { return .done }
        if call.plan.hasBegun { return .stop(.streamStarted) }
        let isLive = request.body?.sequence != nil
        guard let cause = cause(of: result, at: call.clock.date) else {
            return .stop(isLive ? .liveBody : .callEnded)
        }
        let policy = policy(in: call)
        if (call.control.settings.retries ?? policy.maximumRetries) > 0,
            let wait = policy.delay(after: cause), let host = result.request.origin
        {
            // Other calls to this host wait too, even if this one can't be repeated.
            gate.pause(host, for: wait)
        }
        if isLive { return .stop(.liveBody) }
        let next = policy.decide(
            cause,
            method: request.method,
            consent: call.control.settings.retries,
            hasIdempotencyKey: request.headers[.idempotencyKey] != nil,
            retries: retries,
            random: Double.random(in: 0...1)
        )
        guard case .retry(let delay) = next else { return next }
        let now = call.clock.now
        if let deadline = call.control.deadline, now &+ delay.clampedNanoseconds >= deadline {
            return .stop(.deadlineTooClose)
        }
        if let origin = limitedHost(of: request, in: call),
            !budgets.withLock({ $0.takeRetry(origin, at: now) })
        {
            return .stop(.budgetExhausted)
        }
        return next
    }

    private func policy(in call: CallContext) -> RetryPolicy { call.plan.retryPolicy ?? policy }

    /// Returns the failure for the retry rules, or nil if a retry can't help.
    private func cause(of result: AttemptResult, at now: Date) -> AttemptFailure? {
        guard !result.isFinal else { return nil }
        switch result.outcome {
        case .response(let response):
            let delay = RetryAfter.delay(of: response.head, now: now)
            return .status(response.status, retryAfter: delay)
        case .failure(.transport(let error)): return .transport(error.kind)
        case .failure(.timeout(.idle)): return .idleTimeout
        case .failure: return nil
        }
    }

    /// Records the trace of an attempt.
    ///
    /// - Returns: The call's history including this trace.
    private func note(
        _ next: AttemptTrace.Next,
        _ result: AttemptResult,
        from start: UInt64,
        in call: CallContext
    ) -> [AttemptTrace] {
        let outcome: AttemptTrace.Outcome =
            switch result.outcome {
            case .response(let response): .response(response.status)
            case .failure(let failure): .failure(failure.line)
            }
        let trace = AttemptTrace(
            number: call.attempt,
            outcome: outcome,
            duration: call.clock.elapsed(since: start),
            next: next,
            unrecoveredResponse: result.unrecovered,
            maximumRetryAfter: policy(in: call).maximumRetryAfter
        )
        call.reporter?.report(.attempted(result, trace))
        return call.control.note(trace)
    }
}

/// The failure of an attempt, as far as it matters for retries.
package enum AttemptFailure: Equatable, Sendable {
    case transport(TransportError.Kind)
    case idleTimeout
    /// A response other than 2xx, with the delay that its `Retry-After` asks for.
    case status(HTTPStatus, retryAfter: Duration?)
}

extension RetryPolicy {
    /// Decides whether to retry a failed attempt.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - method: The request's method.
    ///   - consent: The count of `retryOnFail`, which gives consent for any method, or nil if not given.
    ///   - hasIdempotencyKey: Whether the request has an idempotency key.
    ///   - retries: The number of retries so far.
    ///   - random: The position of the jitter, from 0 to 1.
    /// - Returns: A retry after a delay, or a stop.
    package func decide(
        _ failure: AttemptFailure,
        method: HTTPMethod,
        consent: Int?,
        hasIdempotencyKey: Bool,
        retries: Int,
        random: Double
    ) -> AttemptTrace.Next {
        guard isTransient(failure) else { return .stop(.notTransient) }
        guard consent != nil || hasIdempotencyKey || repeats(method) else {
            return .stop(.notRepeatable(method))
        }
        let allowed = consent ?? maximumRetries
        guard retries < allowed else { return .stop(.retriesExhausted(allowed)) }
        let delay = backoff.delay(beforeRetry: retries + 1, random: random)
        guard case .status(_, let retryAfter?) = failure else { return .retry(after: delay) }
        guard retryAfter <= maximumRetryAfter else { return .stop(.retryAfterTooLong(retryAfter)) }
        return .retry(after: max(delay, retryAfter))
    }

    /// Returns the delay that a host asks for, if a retry would wait for it.
    fileprivate func delay(after failure: AttemptFailure) -> Duration? {
        guard case .status(_, let wait?) = failure, isTransient(failure), wait <= maximumRetryAfter
        else { return nil }
        return wait
    }

    private func isTransient(_ failure: AttemptFailure) -> Bool {
        switch failure {
        case .idleTimeout: true
        case .status(let status, _): statuses.contains(status)
        case .transport(let kind): kind.isTransient
        }
    }
}

extension RetryAfter {
    /// Returns the delay that a response asks for, or nil if it asks for none.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - now: The current date.
    /// - Returns: The delay, which isn't negative.
    package static func delay(of head: ResponseHead, now: Date) -> Duration? {
        delay(status: head.status.rawValue, now: now) { head.headers[HTTPHeaderName($0)] }
    }
}
