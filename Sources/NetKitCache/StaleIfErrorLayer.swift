import NetKit

/// Answers a failed call with a stale response if allowed (RFC 5861, section 4).
///
/// It is above the retries, so it applies only to calls whose retries have failed.
struct StaleIfErrorLayer: Layer {
    let cache: HTTPCache

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        let failed = await next.send(request, in: call)
        guard let fallback = failed.fallback, !failed.isSuccessful, call.control.stopped == nil,
            !call.plan.hasBegun
        else {
            return failed
        }
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
