/// Answers a call that failed for good with a stale response, where that is allowed (RFC 5861, section 4).
///
/// It stands above the retries: only a call that would fail gets one. It is no layer, as a layer would cost every call.
struct StaleIfError: Sendable {
    let cache: HTTPCache

    /// Whether a stale response may take the place of a result.
    func applies(to result: AttemptResult, of call: CallContext) -> Bool {
        result.fallback != nil && !result.isSuccess && call.control.stopped == nil
            && !call.plan.hasBegun
    }

    /// Answers a request with the stale response in place of its failure.
    func answer(
        _ request: EncodedRequest,
        insteadOf failed: AttemptResult,
        in call: CallContext
    ) async -> AttemptResult {
        guard let fallback = failed.fallback else { return failed }
        cache.count(.stale)
        // A redirect may have led elsewhere. A download and a stream get their sink from the resume layer.
        var request = request
        if request.url != failed.request.url { request.url = failed.request.url }
        var result = await NextLayers([ResumeLayer(), fallback]).send(request, in: call)
        result.change { parts in
            (parts.attempt, parts.history) = (failed.attempt, failed.history)
            (parts.sentAttempts, parts.isSent) = (failed.sentAttempts, failed.isSent)
            parts.phases = failed.phases
        }
        return result
    }
}
