import Foundation
import NetKit

/// A private cache that follows RFC 9111.
///
/// It is above the credentials, so a fresh response needs no token. For a validation or a miss, only one of several
/// concurrent calls sends a request.
struct CacheLayer: Layer {
    let cache: HTTPCache
    let user: CacheUser
    /// The endpoint of the call, for validations in the background.
    let endpoint: Endpoint

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        guard let wanted = CacheRequest(request, policy: call.plan.cachePolicy),
            // A refresh must not use cached responses, nor wait for a call that waits for it.
            !SharedWork.isInRefresh
        else {
            if call.plan.cachePolicy == .onlyIfCached { return refusal(of: request, in: call) }
            let result = await next.send(request, in: call)
            if !request.method.isSafe { invalidate(after: result, of: request) }
            return result
        }
        if let reporter = call.reporter, let problem = cache.takeProblem() {
            reporter.report(.cacheUnavailable(problem))
        }
        // A stream's reader may take hours, and a HEAD response has no body.
        var mayWait = !call.plan.isStream && !wanted.isHead
        while true {
            // The jar's cookies may have changed during a wait.
            let key = user.key(of: request, at: call.clock.date, cache.digest)
            let lookup = Lookup(request: request, wanted: wanted, key: key)
            let stored = cache.store.mayHave(key) ? await find(lookup, in: call) : nil
            let decision = CacheDecision(
                for: wanted,
                stored?.head,
                isRepeated: call.attempt > 1,
                at: call.clock.date
            )
            switch (decision, stored) {
            case (.hit, let stored?): return await answer(stored, .hit, request, in: call)
            case (.stale(let revalidates), let stored?):
                if revalidates { revalidate(stored, lookup, in: call, next) }
                return await answer(stored, .stale, request, in: call)
            case (.refuse, _): return refusal(of: request, in: call)
            default: break
            }
            guard mayWait else { return await ask(lookup, stored, nil, in: call, next) }
            switch cache.flights.join(key) {
            case .leader(let flight):
                return await flight.work.run { await ask(lookup, stored, flight, in: call, next) }
            case .alone: return await ask(lookup, stored, nil, in: call, next)
            case .follower(let follower):
                switch await ending(of: follower, in: call) {
                case .settled: mayWait = false
                case .left: break
                case nil:
                    let failure = call.control.stopped.map { CallFailure($0) } ?? .cancelled
                    return AttemptResult(request, failure: failure)
                }
            }
        }
    }

    /// A request that the cache may answer.
    struct Lookup: Sendable {
        let request: EncodedRequest
        let wanted: CacheRequest
        let key: CacheKey
    }

    /// Waits for another call's request, up to the idle timeout.
    ///
    /// Returns nil if this call was stopped.
    private func ending(
        of follower: CacheFlights.Follower,
        in call: CallContext
    ) async -> CacheFlights.Ending? {
        let limit = call.idleTimeout(orDefault: endpoint.settings.values.timeouts.idle)
        return await follower.ending(call.control, atMost: limit, call.clock)
    }

    /// Returns the stored response that a request selects.
    private func find(_ lookup: Lookup, in call: CallContext) async -> StoredResponse? {
        await cache.store.find(lookup.key) { [user, cache] head in
            user.selects(head, for: lookup.request, at: call.clock, cache.digest)
        }
    }

    /// Answers with a stored response and counts it.
    func answer(
        _ stored: StoredResponse,
        _ outcome: CacheOutcome,
        _ request: EncodedRequest,
        in call: CallContext
    ) async -> AttemptResult {
        cache.count(outcome)
        return await layer(for: stored, outcome).send(request, in: call, next: NextLayers([]))
    }

    /// Creates the layer that answers with a stored response.
    func layer(for stored: StoredResponse, _ outcome: CacheOutcome) -> StoredAnswer {
        StoredAnswer(
            stored: stored,
            outcome: outcome,
            maximumSize: endpoint.settings.values.maximumResponseSize
        )
    }

    /// Counts and returns a 504 for a request that must not be sent.
    private func refusal(of request: EncodedRequest, in call: CallContext) -> AttemptResult {
        cache.count(.miss)
        return OnlyIfCachedLayer.refusal(of: request, in: call)
    }

    /// Removes the responses that an unsafe request invalidates (section 4.4).
    private func invalidate(after result: AttemptResult, of request: EncodedRequest) {
        guard let response = result.response, (200..<400).contains(response.status.rawValue) else {
            return
        }
        cache.remove(request.url)
        for name in [HTTPHeaderName.location, .contentLocation] {
            guard let text = response.headers[name],
                let url = RedirectTarget.resolve(text, against: request.url),
                Origin(url) == request.origin
            else { continue }
            cache.remove(url)
        }
    }
}
