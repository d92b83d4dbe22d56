import Foundation

/// Sends a request until an attempt of it stands: one that succeeded, or that is not tried again.
///
/// It knows nothing of the request's type, which the value and the error are made for afterwards.
struct RetryLoop: Sendable {
    let endpoint: Endpoint
    let control: CallControl
    /// The request's own idle timeout.
    let timeout: Duration?
    /// How the response gets into a file, nil to gather it in memory.
    let download: DownloadPlan?
    /// Takes the response while it arrives; nil for one that is wanted whole.
    var stream: StreamChannel?
    /// Hears of bytes, in order.
    let onProgress: TransferWatch?
    /// Hears of the attempts that are tried again.
    let onRetry: (@Sendable (AttemptRecord) -> Void)?

    /// Sends `request`; cancelling the calling task cancels the call.
    ///
    /// - Returns: The attempt that stands.
    func run(_ request: EncodedRequest) async -> AttemptRecord {
        await withTaskCancellationHandler {
            await send(request)
        } onCancel: {
            control.stop(.cancelled)
        }
    }

    private func send(_ request: EncodedRequest) async -> AttemptRecord {
        var request = request
        let exchange = Exchange(
            endpoint: endpoint,
            control: control,
            timeout: timeout,
            download: download,
            stream: stream,
            onProgress: onProgress
        )
        if let failure = await prepare(&request) {
            return AttemptRecord(
                request: request,
                ending: .failed(failure),
                start: endpoint.clock.now,
                number: 1
            )
        }
        var number = 1
        while true {
            addIdempotencyKeyIfConsented(to: &request)
            let start = endpoint.clock.now
            if let stopped = control.stopped {
                let ending = AttemptRecord.Ending.failed(CallFailure(stopped))
                return AttemptRecord(request: request, ending: ending, start: start, number: number)
            }
            let (last, outcome) = await exchange.send(request)
            let record = AttemptRecord(
                request: last,
                ending: ending(outcome, of: last),
                start: start,
                number: number
            )
            guard stream?.hasBegun != true, let trouble = trouble(with: outcome),
                let delay = delay(after: trouble, of: request, retries: number - 1)
            else { return record }
            onRetry?(record)
            await Wait.pause(for: delay, control: control, clock: endpoint.clock)
            number += 1
        }
    }

    /// What has to be done once, before the first attempt.
    ///
    /// - Returns: Why it could not be done.
    private func prepare(_ request: inout EncodedRequest) async -> CallFailure? {
        do {
            try download?.begin()
        } catch {
            return .transport(TransportError(.other, underlying: error))
        }
        guard let sequence = request.body?.sequence else { return nil }
        switch await BodySpool.spool(sequence, control: control) {
        case .success(let body): request.body = body
        case .failure(let failure): return failure
        }
        return nil
    }

    private func ending(
        _ outcome: AttemptOutcome,
        of request: EncodedRequest
    ) -> AttemptRecord.Ending {
        switch outcome {
        case .response(let head, let body): .response(HTTPResponse(to: request, head, body: body))
        case .stopped(let reason): .failed(CallFailure(reason))
        case .idleTimeout: .failed(.timeout(.idle))
        case .failed(let error): .failed(.transport(error))
        }
    }

    /// What went wrong that another attempt might mend; nil where nothing did.
    private func trouble(with outcome: AttemptOutcome) -> AttemptFailure? {
        switch outcome {
        case .response(let head, _):
            guard !head.status.isSuccessful else { return nil }
            let retryAfter = head.headers[.retryAfter].flatMap { RetryAfter.delay($0) }
            return .status(head.status, retryAfter: retryAfter)
        case .stopped: return nil
        case .idleTimeout: return .idleTimeout
        case .failed(let error): return .transport(error.kind)
        }
    }

    private func delay(
        after failure: AttemptFailure,
        of request: EncodedRequest,
        retries: Int
    ) -> Duration? {
        let policy = endpoint.settings.values.retryPolicy
        let rules = RetryRules(policy: policy, consent: control.settings.retries)
        let decision = rules.decide(
            failure,
            method: request.method,
            hasIdempotencyKey: request.headers[.idempotencyKey] != nil,
            retries: retries,
            random: Double.random(in: 0...1)
        )
        guard case .retry(let delay) = decision else { return nil }
        return delay
    }

    /// `retryOnFail` is consent to repeat a POST or PATCH; the key lets the server know it again.
    private func addIdempotencyKeyIfConsented(to request: inout EncodedRequest) {
        guard request.method == .post || request.method == .patch,
            let retries = control.settings.retries, retries > 0,
            request.headers[.idempotencyKey] == nil
        else { return }
        request.headers[.idempotencyKey] = UUID().uuidString
    }
}
