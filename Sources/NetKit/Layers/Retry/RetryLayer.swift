import Foundation

/// Sends a request again while the retriers and the retry policy say so.
///
/// The layers below it make one attempt. It owns the delays, `Retry-After`, the retry budget, idempotency keys, and
/// the history of the call.
struct RetryLayer: Layer {
    /// The endpoint's policy, for requests without one.
    let policy: RetryPolicy
    let budgets: Locked<RetryBudgets>
    /// Paused for as long as a host asks.
    let gate: RequestQueue

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        var (request, call) = (request, call)
        var sentAttempts = 0
        count(request, in: call)
        while true {
            let start = call.clock.now
            addIdempotencyKey(to: &request, in: call)
            if let stopped = call.control.stopped {
                var result = AttemptResult(request, failure: CallFailure(stopped))
                result.attempt = call.attempt
                result.history = call.control.history
                return result
            }
            call.reporter?.report(.attempt(call.attempt))
            var result = await next.send(request, in: call)
            if result.isSent { sentAttempts += 1 }
            (result.attempt, result.sentAttempts) = (call.attempt, sentAttempts)
            if let response = result.response { call.reporter?.report(.received(response.status)) }
            let step = await step(after: result, of: request, in: call)
            let decided = call.clock.now
            result.history = note(step, result, from: start, in: call)
            switch step {
            case .done, .stop: return result
            case .fail(let failure):
                result.fail(failure)
                return result
            case .retry(let delay):
                await Wait.pause(
                    for: delay,
                    since: decided,
                    control: call.control,
                    clock: call.clock
                )
                // What went wrong says more than that the time is over.
                if call.control.stopped == .totalDeadline { return result }
            case .replace(let other, let plan):
                (request, call.plan) = (other, plan)
            }
            call.attempt += 1
        }
    }

    /// Lets the server recognize a POST or PATCH that may be repeated, as `retryOnFail` allows.
    private func addIdempotencyKey(to request: inout EncodedRequest, in call: CallContext) {
        guard request.method == .post || request.method == .patch,
            let retries = call.control.settings.retries, retries > 0,
            request.headers[.idempotencyKey] == nil
        else { return }
        request.headers[.idempotencyKey] = UUID().uuidString
    }

    /// Counts a call for the retry budget of its host.
    private func count(_ request: EncodedRequest, in call: CallContext) {
        let policy = call.plan.retryPolicy ?? policy
        guard policy.hasBudget, policy.maximumRetries > 0, let origin = request.origin else {
            return
        }
        let now = call.clock.now
        budgets.withLock { $0.call(origin, at: now) }
    }
}

// MARK: - Decisions

extension RetryLayer {
    /// What follows an attempt.
    private enum Step {
        case done
        case stop(RetryRefusal)
        /// The call ends, with another failure than the attempt's.
        case fail(CallFailure)
        case retry(after: Duration)
        case replace(EncodedRequest, CallPlan)
    }

    /// Decides what follows an attempt: the retriers first, then the policy.
    private func step(
        after result: AttemptResult,
        of request: EncodedRequest,
        in call: CallContext
    ) async -> Step {
        if call.plan.hasBegun { return result.isSuccess ? .done : .stop(.streamBegun) }
        if request.body?.sequence != nil { return result.isSuccess ? .done : .stop(.liveBody) }
        let policy = call.plan.retryPolicy ?? policy
        let allowed = call.control.settings.retries ?? policy.maximumRetries
        if let replacement = call.plan.replacement, call.attempt <= allowed,
            result.failure?.endsCall != true
        {
            switch await replacement(result, call.control) {
            case .none: break
            case .failure(let failure): return .fail(failure)
            case .request(var other, let plan):
                // The key belongs to the call, whatever becomes of its request.
                if other.headers[.idempotencyKey] == nil {
                    other.headers[.idempotencyKey] = request.headers[.idempotencyKey]
                }
                return .replace(other, plan)
            }
        }
        if result.isSuccess { return .done }
        guard let cause = cause(of: result, at: call.clock.date) else { return .stop(.ended) }
        return decide(cause, request, policy, pausing: result.request.origin, in: call)
    }

    /// What went wrong that another attempt might mend; nil for what it can't.
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

    private func decide(
        _ cause: AttemptFailure,
        _ request: EncodedRequest,
        _ policy: RetryPolicy,
        pausing host: Origin?,
        in call: CallContext
    ) -> Step {
        let rules = RetryRules(policy: policy, consent: call.control.settings.retries)
        let decision = rules.decide(
            cause,
            method: request.method,
            hasIdempotencyKey: request.headers[.idempotencyKey] != nil,
            retries: call.attempt - 1,
            random: Double.random(in: 0...1)
        )
        let delay: Duration
        switch decision {
        case .stop(let reason): return .stop(reason)
        case .retry(let after): delay = after
        }
        let now = call.clock.now
        if let deadline = call.control.deadline, now &+ delay.clampedNanoseconds >= deadline {
            return .stop(.deadline)
        }
        if call.control.settings.retries == nil, policy.hasBudget, let origin = request.origin,
            !budgets.withLock({ $0.takeRetry(origin, at: now) })
        {
            return .stop(.budgetSpent)
        }
        if case .status(_, let wait?) = cause, let host {
            // The other calls to this host wait as well.
            gate.pause(host, for: wait)
        }
        return .retry(after: delay)
    }

    /// Notes what became of an attempt.
    ///
    /// - Returns: The history of the call with it.
    private func note(
        _ step: Step,
        _ result: AttemptResult,
        from start: UInt64,
        in call: CallContext
    ) -> [AttemptTrace] {
        let outcome: AttemptTrace.Outcome =
            switch result.outcome {
            case .response(let response): .response(response.status)
            case .failure(let failure): .failure(failure.message)
            }
        let next: AttemptTrace.Next =
            switch step {
            case .done: .done
            case .stop(let reason): .stop(reason)
            case .fail: .stop(.ended)
            case .retry(let delay): .retry(after: delay)
            case .replace: .retrier
            }
        let trace = AttemptTrace(
            number: result.attempt,
            outcome: outcome,
            duration: call.clock.elapsed(since: start),
            next: next,
            unrecovered: result.unrecovered
        )
        call.reporter?.report(.attempted(result, trace))
        return call.control.note(trace)
    }
}
