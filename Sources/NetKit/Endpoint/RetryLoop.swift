import Foundation

/// Sends a request until an attempt of it stands: one that succeeded, or that is not tried again.
///
/// It knows nothing of the request's type, which the value and the error are made for afterwards.
struct RetryLoop: Sendable {
    let endpoint: Endpoint
    let control: CallControl
    /// The request's own idle timeout.
    let timeout: Duration?
    /// The request's own retry policy; nil for the endpoint's.
    let retryPolicy: RetryPolicy?
    /// How the response gets into a file, nil to gather it in memory.
    let download: DownloadPlan?
    /// The request's own, which come behind those of the endpoint.
    var interceptors: [any Interceptor] = []
    /// Whom the request may overtake.
    var priority = RequestPriority.normal
    /// What the request tells interceptors.
    var context = RequestContext()
    /// Takes the response while it arrives; nil for one that is wanted whole.
    var stream: StreamChannel?
    /// Hears of bytes, in order.
    let onProgress: TransferWatch?
    /// Hears of the attempts that are tried again.
    let onRetry: (@Sendable (AttemptRecord) -> Void)?
    /// Asked what to send instead of an attempt that did not succeed, before the policy is; nil if nobody
    /// has anything to say.
    var onFailure: (@Sendable (AttemptRecord) async -> Replacement)?
    /// Told what happens, if anybody listens.
    var report: CallReporter?
    /// How many attempts the call has had before.
    var earlierAttempts = 0

    /// What to send instead of a request that failed.
    enum Replacement: Sendable {
        case none
        case send(EncodedRequest)
        case fail(CallFailure)
    }

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
        if let failure = await prepare(&request) {
            return AttemptRecord(
                request: request,
                ending: .failed(failure),
                start: endpoint.clock.now,
                number: 1
            )
        }
        let chain = chain
        countCall(request)
        var number = earlierAttempts + 1
        while true {
            addIdempotencyKeyIfConsented(to: &request)
            let start = endpoint.clock.now
            if let stopped = control.stopped {
                let ending = AttemptRecord.Ending.failed(CallFailure(stopped))
                return AttemptRecord(request: request, ending: ending, start: start, number: number)
            }
            report?(.attempt(number))
            let sent = await chain.send(request, attempt: number)
            var record = AttemptRecord(
                request: sent.request,
                ending: AttemptRecord.Ending(sent.outcome, of: sent.request),
                start: start,
                number: number,
                phases: sent.phases,
                unrecovered: sent.unrecovered
            )
            if case .response(let response) = record.ending { report?(.received(response.status)) }
            let step = await next(after: sent.outcome, record, of: request)
            let decisionTime = endpoint.clock.now
            record.history = note(step, record)
            switch step {
            case .done, .stop: return record
            case .fail(let failure):
                record.ending = .failed(failure)
                return record
            case .retry(let delay):
                onRetry?(record)
                await Wait.pause(
                    for: delay,
                    since: decisionTime,
                    control: control,
                    clock: endpoint.clock
                )
                if control.stopped == .totalDeadline {
                    // What really went wrong says more than that there is no time left.
                    record.isObserved = true
                    return record
                }
            case .send(let other):
                onRetry?(record)
                request = other
            }
            number += 1
        }
    }

    private var chain: InterceptorChain {
        let exchange = Exchange(
            endpoint: endpoint,
            control: control,
            timeout: timeout,
            download: download,
            stream: stream,
            priority: priority,
            onProgress: onProgress,
            report: report
        )
        return InterceptorChain(
            interceptors: endpoint.settings.values.interceptors + interceptors,
            context: context,
            exchange: exchange
        )
    }

    /// What has to be done once, before the first attempt.
    ///
    /// - Returns: Why it could not be done.
    private func prepare(_ request: inout EncodedRequest) async -> CallFailure? {
        if let download,
            case .failure(let failure) = await UserCode.run(control, { try await download.begin() })
        {
            return failure
        }
        return await spool(&request)
    }

    private func spool(_ request: inout EncodedRequest) async -> CallFailure? {
        guard let sequence = request.body?.sequence else { return nil }
        guard !sequence.isLive || !endpoint.transport.sendsSequences else {
            request.body = BodySource(sequence.once())
            return nil
        }
        switch await BodySpool.spool(sequence, control: control) {
        case .success(let body): request.body = body
        case .failure(let failure): return failure
        }
        return nil
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
