import Foundation

/// Retries a request as long as the retriers and the retry policy allow.
///
/// The layers below make one attempt. This layer is responsible for delays, `Retry-After`, the retry budget,
/// idempotency keys, and the call's history.
struct RetryLayer: Layer {
    /// The endpoint's policy, for requests without their own.
    let policy: RetryPolicy
    let budgets: Locked<RetryBudgets>
    /// The queue to pause when a host asks for a delay.
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
            if let stopped = call.control.stopped { return unsent(request, stopped, in: call) }
            call.reporter?.report(.attempt(call.attempt))
            let result = await next.send(request, in: call)
            if result.isSent { sentAttempts += 1 }
            let last = await conclude(result, sentAttempts, from: start, &request, &call)
            if let last { return last }
            call.attempt += 1
        }
    }

    /// Returns the result of a call that was stopped before an attempt.
    private func unsent(
        _ request: EncodedRequest,
        _ reason: StopReason,
        in call: CallContext
    ) -> AttemptResult {
        var result = AttemptResult(request, failure: CallFailure(reason))
        result.change { ($0.attempt, $0.history) = (call.attempt, call.control.history) }
        return result
    }

    /// Decides what follows an attempt, and waits for its delay.
    ///
    /// - Returns: The call's result, or nil to send the updated `request` in the updated `call`.
    private func conclude(
        _ result: AttemptResult,
        _ sentAttempts: Int,
        from start: UInt64,
        _ request: inout EncodedRequest,
        _ call: inout CallContext
    ) async -> AttemptResult? {
        var result = result
        let attempt = call.attempt
        if result.attempt != attempt { result.change { $0.attempt = attempt } }
        if let response = result.response { call.reporter?.report(.received(response.status)) }
        var step: Step?
        if call.plan.replacement != nil {
            step = await replacement(of: result, request, in: call)
        }
        let decision = step ?? self.step(after: result, of: request, in: call)
        let decided = call.clock.now
        let history = note(decision, result, from: start, in: call)
        result.change { ($0.sentAttempts, $0.history) = (sentAttempts, history) }
        switch decision {
        case .done, .stop: return result
        case .fail(let failure):
            result.fail(failure)
            return result
        case .retry(let delay):
            noteUnfinished(&result, in: call)
            await Wait.pause(for: delay, since: decided, control: call.control, clock: call.clock)
            // What went wrong says more than that the time is over.
            if case .totalDeadline = call.control.stopped { return result }
            return nil
        case .replace(let other, let plan):
            noteUnfinished(&result, in: call)
            (request, call.plan) = (other, plan)
            return nil
        }
    }

    /// Reports an attempt that another one follows to the operation.
    private func noteUnfinished(_ result: inout AttemptResult, in call: CallContext) {
        guard let onAttempt = call.plan.onAttempt else { return }
        onAttempt(result)
        result.change { $0.isDebugged = true }
    }

    /// Adds an idempotency key to a POST or PATCH that `retryOnFail` allows.
    ///
    /// Servers can thus detect repetitions.
    private func addIdempotencyKey(to request: inout EncodedRequest, in call: CallContext) {
        guard request.method == .post || request.method == .patch,
            let retries = call.control.settings.retries, retries > 0,
            request.headers[.idempotencyKey] == nil
        else { return }
        request.headers[.idempotencyKey] = UUID().uuidString
    }

    /// Counts a call for its host's retry budget.
    private func count(_ request: EncodedRequest, in call: CallContext) {
        let policy = policy(in: call)
        guard policy.hasBudget, policy.maximumRetries > 0, let origin = request.origin else {
            return
        }
        let now = call.clock.now
        budgets.withLock { $0.call(origin, at: now) }
    }
}

// MARK: - Decisions

extension RetryLayer {
    /// The step that follows an attempt.
    private enum Step {
        case done
        case stop(RetryRefusal)
        /// The call fails with another error than the attempt's.
        case fail(CallFailure)
        case retry(after: Duration)
        case replace(EncodedRequest, CallPlan)
    }

    /// Asks the retriers, which precede the policy.
    ///
    /// Returns nil if none replaces the request.
    private func replacement(
        of result: AttemptResult,
        _ request: EncodedRequest,
        in call: CallContext
    ) async -> Step? {
        guard let replacement = call.plan.replacement, !isBegun(request, in: call),
            call.attempt <= retries(in: call), result.failure?.endsCall != true
        else { return nil }
        switch await replacement(result, call.control) {
        case .none: return nil
        case .failure(let failure): return .fail(failure)
        case .request(var other, let plan):
            // The key belongs to the call, even if its request is replaced.
            if other.headers[.idempotencyKey] == nil {
                other.headers[.idempotencyKey] = request.headers[.idempotencyKey]
            }
            return .replace(other, plan)
        }
    }

    /// Determines the next step by the policy.
    private func step(
        after result: AttemptResult,
        of request: EncodedRequest,
        in call: CallContext
    ) -> Step {
        if result.isSuccessful { return .done }
        if call.plan.hasBegun { return .stop(.streamStarted) }
        if request.body?.sequence != nil { return .stop(.liveBody) }
        guard let cause = cause(of: result, at: call.clock.date) else { return .stop(.callEnded) }
        return decide(cause, request, pausing: result.request.origin, in: call)
    }

    private func policy(in call: CallContext) -> RetryPolicy { call.plan.retryPolicy ?? policy }

    private func retries(in call: CallContext) -> Int {
        call.control.settings.retries ?? policy(in: call).maximumRetries
    }

    /// Returns whether a retry is impossible, because data was already consumed or delivered.
    private func isBegun(_ request: EncodedRequest, in call: CallContext) -> Bool {
        call.plan.hasBegun || request.body?.sequence != nil
    }

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

    private func decide(
        _ cause: AttemptFailure,
        _ request: EncodedRequest,
        pausing host: Origin?,
        in call: CallContext
    ) -> Step {
        let policy = policy(in: call)
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
            return .stop(.deadlineTooClose)
        }
        if call.control.settings.retries == nil, policy.hasBudget, let origin = request.origin,
            !budgets.withLock({ $0.takeRetry(origin, at: now) })
        {
            return .stop(.budgetExhausted)
        }
        if case .status(_, let wait?) = cause, let host {
            // Other calls to this host wait too.
            gate.pause(host, for: wait)
        }
        return .retry(after: delay)
    }

    /// Records the trace of an attempt.
    ///
    /// - Returns: The call's history including this trace.
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
            case .fail: .stop(.callEnded)
            case .retry(let delay): .retry(after: delay)
            case .replace: .retrier
            }
        let trace = AttemptTrace(
            number: result.attempt,
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
