import Foundation

extension RetryLoop {
    /// What follows an attempt.
    enum Step {
        case done
        case stop(RetryRefusal)
        /// The attempt stands, as a failure of another kind.
        case fail(CallFailure)
        case retry(after: Duration)
        case send(EncodedRequest)
    }

    /// Decides what follows an attempt: first whoever wants to replace the request, then the policy.
    func next(
        after outcome: AttemptOutcome,
        _ record: AttemptRecord,
        of request: EncodedRequest
    ) async -> Step {
        if stream?.hasBegun == true { return isSuccess(outcome) ? .done : .stop(.streamBegun) }
        if request.body?.sequence != nil { return isSuccess(outcome) ? .done : .stop(.liveBody) }
        let policy = policy
        let allowed = control.settings.retries ?? policy.maximumRetries
        if let onFailure, record.number <= allowed, !isEnd(outcome) {
            switch await onFailure(record) {
            case .none: break
            case .fail(let failure): return .fail(failure)
            case .send(var other):
                // The key is one call's, whatever becomes of its request.
                if other.headers[.idempotencyKey] == nil {
                    other.headers[.idempotencyKey] = request.headers[.idempotencyKey]
                }
                return .send(other)
            }
        }
        if isSuccess(outcome) { return .done }
        guard let trouble = trouble(with: outcome) else { return .stop(.ended) }
        return decide(trouble, request, retries: record.number - 1, policy)
    }

    private var policy: RetryPolicy { retryPolicy ?? endpoint.settings.values.retryPolicy }

    private func decide(
        _ trouble: AttemptFailure,
        _ request: EncodedRequest,
        retries: Int,
        _ policy: RetryPolicy
    ) -> Step {
        let rules = RetryRules(policy: policy, consent: control.settings.retries)
        let decision = rules.decide(
            trouble,
            method: request.method,
            hasIdempotencyKey: request.headers[.idempotencyKey] != nil,
            retries: retries,
            random: Double.random(in: 0...1)
        )
        switch decision {
        case .stop(let reason): return .stop(reason)
        case .retry(let delay):
            let now = endpoint.clock.now
            if let deadline = control.deadline, now &+ delay.clampedNanoseconds >= deadline {
                return .stop(.deadline)
            }
            if control.settings.retries == nil, policy.hasBudget, let origin = request.origin,
                !endpoint.budgets.withLock({ $0.takeRetry(origin, at: now) })
            {
                return .stop(.budgetSpent)
            }
            if case .status(_, let wait?) = trouble, let origin = request.origin {
                // What one call waits for, the others to this host wait for as well.
                endpoint.gate.pause(origin, for: wait)
            }
            return .retry(after: delay)
        }
    }

    /// Counts a call for the budget of its host.
    func countCall(_ request: EncodedRequest) {
        let policy = policy
        guard policy.hasBudget, policy.maximumRetries > 0, let origin = request.origin else {
            return
        }
        let now = endpoint.clock.now
        endpoint.budgets.withLock { $0.call(origin, at: now) }
    }

    /// Notes what became of an attempt.
    ///
    /// - Returns: The call's history with it.
    func note(_ step: Step, _ record: AttemptRecord) -> [AttemptTrace] {
        let outcome: AttemptTrace.Outcome =
            switch record.ending {
            case .response(let response): .response(response.status)
            case .failed(let failure): .failure(failure.message)
            }
        let next: AttemptTrace.Next =
            switch step {
            case .done: .done
            case .stop(let reason): .stop(reason)
            case .fail: .stop(.ended)
            case .retry(let delay): .retry(after: delay)
            case .send: .retrier
            }
        let trace = AttemptTrace(
            number: record.number,
            outcome: outcome,
            duration: .nanoseconds(Int64(endpoint.clock.now - record.start)),
            next: next,
            unrecovered: record.unrecovered
        )
        report?(.decided(trace))
        return control.note(trace)
    }

    private func isSuccess(_ outcome: AttemptOutcome) -> Bool {
        switch outcome {
        case .response(let head, _): head.status.isSuccessful
        case .answered(let response): response.status.isSuccessful
        case .failed, .idleTimeout, .stopped, .refused: false
        }
    }

    /// Whether the call is over, whatever anybody would rather send.
    private func isEnd(_ outcome: AttemptOutcome) -> Bool {
        switch outcome {
        case .stopped, .refused(.cancelled), .refused(.timeout(.total)): true
        case .response, .answered, .failed, .idleTimeout, .refused: false
        }
    }

    /// What went wrong that another attempt might mend; nil where nothing did.
    private func trouble(with outcome: AttemptOutcome) -> AttemptFailure? {
        switch outcome {
        case .response(let head, _):
            .status(head.status, retryAfter: RetryAfter.delay(of: head))
        case .answered(let response):
            trouble(
                with: .response(
                    ResponseHead(status: response.status, headers: response.headers),
                    body: Data()
                )
            )
        case .stopped, .refused: nil
        case .idleTimeout: .idleTimeout
        case .failed(let error): .transport(error.kind)
        }
    }
}
