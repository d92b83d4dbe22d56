/// Answers a failed call with a stale response if allowed (RFC 5861, section 4).
///
/// It is above the retries, so it applies only to calls that would fail for good. It isn't a layer, because a layer has
/// a cost for every call.
struct StaleIfError: Sendable {
    let cache: HTTPCache

    /// Returns whether a stale response may replace a result.
    func applies(to result: AttemptResult, of call: CallContext) -> Bool {
        result.fallback != nil && !result.isSuccess && call.control.stopped == nil
            && !call.plan.hasBegun
    }

    /// Answers a request with the stale response instead of its failure.
    func answer(
        _ request: EncodedRequest,
        insteadOf failed: AttemptResult,
        in call: CallContext
    ) async -> AttemptResult {
        guard let fallback = failed.fallback else { return failed }
        cache.count(.stale)
        // A redirect may have changed the URL. The resume layer provides the sink of a download or a stream.
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
