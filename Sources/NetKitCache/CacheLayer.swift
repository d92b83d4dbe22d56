import Foundation
import NetKit
import NetKitSupport

/// A private cache that follows RFC 9111.
///
/// It is above the credentials, so a fresh response needs no token. For a validation or a miss, only one of several
/// concurrent calls of a priority sends a request.
struct CacheLayer: Layer {
    let cache: HTTPCache
    let user: CacheUser
    /// The endpoint of the call, for validations in the background.
    let endpoint: Endpoint
    /// The endpoint's settings for the call.
    let settings: SettingsSnapshot
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        guard let wanted = CacheRequest(request, policy: call.plan.cachePolicy),
            // A refresh must not use cached responses, nor wait for a call that waits for it.
            !SharedWork.isInRefresh
        else {
            if call.plan.cachePolicy == .onlyIfCached || isOnlyIfCached(request) {
                return refusal(of: request, in: call)
            }
            guard !request.method.isSafe else { return await next.send(request, in: call) }
            return await sendUnsafe(request, in: call)
        }
        if let reporter = call.reporter, let problem = cache.takeProblem() {
            reporter.report(.cacheUnavailable(problem))
        }
        // A stream's reader may take hours, a HEAD response has no body, and a reload needs a response of its own.
        var mayWait = !call.plan.isStream && !wanted.isHead && !wanted.isReload
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
                if revalidates { revalidate(stored, lookup, in: call) }
                return await answer(stored, .stale, request, in: call)
            case (.refuse, _): return refusal(of: request, in: call)
            default: break
            }
            guard mayWait else { return await ask(lookup, stored, nil, in: call) }
            switch cache.flights.join(key, call.plan.priority) {
            case .leader(let flight):
                return await flight.work.run { await ask(lookup, stored, flight, in: call) }
            case .alone: return await ask(lookup, stored, nil, in: call)
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

    /// Whether the request's own field forbids to send it (RFC 9111, section 5.2.1.7), unless it belongs to a refresh.
    private func isOnlyIfCached(_ request: EncodedRequest) -> Bool {
        request.headers[.cacheControl] != nil && !SharedWork.isInRefresh
            && request.headers.cacheControl.has("only-if-cached")
    }

    /// Waits for another call's request, up to the idle timeout.
    ///
    /// Returns nil if this call was stopped.
    private func ending(
        of follower: CacheFlights.Follower,
        in call: CallContext
    ) async -> CacheFlights.Ending? {
        let limit = call.idleTimeout(orDefault: settings.values.timeouts.idle)
        return await follower.ending(call.control, atMost: limit, call.clock)
    }

    /// Returns the stored response that a request selects.
    private func find(_ lookup: Lookup, in call: CallContext) async -> StoredResponse? {
        // Without a closure for memory, so that hits stay fast.
        guard cache.store.mayHang else { return await stored(for: lookup, at: call.clock) }
        return await use(in: call) { await stored(for: lookup, at: call.clock) } ?? nil
    }

    private func stored(for lookup: Lookup, at clock: DeadlineClock) async -> StoredResponse? {
        await cache.store.find(lookup.key) { [user, cache] head in
            user.selects(head, for: lookup.request, at: clock, cache.digest)
        }
    }

    /// Uses the store, but doesn't wait for a hanging disk once the call is stopped.
    @discardableResult
    private func use<Value: Sendable>(
        in call: CallContext,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard cache.store.mayHang else { return await body() }
        // The only failure is the stop, which the control keeps.
        return try? await call.control.run(body).get()
    }

    /// Answers with a stored response and counts it.
    func answer(
        _ stored: StoredResponse,
        _ outcome: CacheOutcome,
        _ request: EncodedRequest,
        in call: CallContext
    ) async -> AttemptResult {
        cache.count(outcome)
        return await layer(for: stored, outcome).send(request, in: call)
    }

    /// Creates the layer that answers with a stored response.
    func layer(for stored: StoredResponse, _ outcome: CacheOutcome) -> StoredAnswer {
        StoredAnswer(
            stored: stored,
            outcome: outcome,
            maximumSize: settings.values.maximumResponseSize
        )
    }

    /// Counts and returns a 504 for a request that must not be sent.
    private func refusal(of request: EncodedRequest, in call: CallContext) -> AttemptResult {
        if let stopped = call.control.stopped {
            return AttemptResult(request, failure: CallFailure(stopped))
        }
        cache.count(.miss)
        return OnlyIfCachedLayer.refusal(of: request, in: call)
    }
}

// The cache's requests to the server, for missing responses and for validation.

extension CacheLayer {
    /// Requests a response from the server, or validates a stored one.
    ///
    /// - Parameters:
    ///   - lookup: The request and its key.
    ///   - stored: The stored response to validate, or nil.
    ///   - flight: The flight to end with the request, or nil if no call can wait for it.
    ///   - call: The call.
    /// - Returns: The result, with the stored response if it is still valid.
    func ask(
        _ lookup: Lookup,
        _ stored: StoredResponse?,
        _ flight: CacheFlights.Flight?,
        in call: CallContext
    ) async -> AttemptResult {
        defer {
            if let flight {
                cache.flights.end(flight, call.control.stopped == nil ? .settled : .left)
            }
        }
        var request = lookup.request
        if let added = lookup.wanted.addedControl, request.headers[.cacheControl] == nil {
            request.headers[.cacheControl] = added
        }
        var validated: StoredResponse?
        if let stored, !lookup.wanted.isHead, lookup.wanted.policy != .reload,
            let conditional = Validation.request(request, validating: stored.head)
        {
            (request, validated) = (conditional, stored)
        }
        let storing = Storing(in: cache, as: lookup.key, flight, call.clock)
        var asking = call
        if !lookup.wanted.isHead {
            if let sink = call.sink {
                asking.sink = { StoringSink(sink(), storing) }
            } else {
                asking.sink = { storing }
            }
        }
        var result = await next.send(request, in: asking)
        if let validated, result.response?.status == .notModified {
            if isSameUser(of: validated, in: result, lookup),
                let confirmed = await confirm(validated, by: result, lookup, in: call)
            {
                return confirmed
            }
            return await ask(lookup, nil, flight, in: call)
        }
        if let stored, lookup.wanted.isHead, isSameUser(of: stored, in: result, lookup) {
            await update(stored, byHead: result, in: call)
        }
        if let stored, canReplace(result, stored, lookup, in: call) {
            // An error must not replace a response that is still usable.
            storing.discard()
            let fallback = layer(for: stored, .stale)
            result.change { $0.fallback = fallback }
        } else {
            var isStored = false
            if let (writer, date) = storing.take() {
                isStored = await store(result, of: lookup, storing, writer, date, in: call)
            }
            if !isStored, let stored, replaces(stored, result, lookup) {
                await use(in: call) { await cache.store.remove(stored) }
            }
        }
        cache.count(.miss)
        result.change { $0.cacheOutcome = .miss }
        return result
    }

    /// Returns whether the user that a stored response was found for also sent the request.
    private func isSameUser(
        of stored: StoredResponse,
        in result: AttemptResult,
        _ lookup: Lookup
    ) -> Bool {
        user.isSame(
            in: result.request,
            stored.head,
            for: lookup.request,
            at: endpoint.clock.date,
            cache.digest
        )
    }

    /// Returns whether a newer response takes the place of a stored one although it isn't stored itself.
    ///
    /// After a full response, no response that was to be validated is suitable (RFC 9111, section 4.3.3).
    private func replaces(
        _ stored: StoredResponse,
        _ result: AttemptResult,
        _ lookup: Lookup
    ) -> Bool {
        guard !lookup.wanted.isHead, let response = result.response,
            response.status == response.receivedStatus
        else { return false }
        switch response.status.rawValue {
        case 206, 304: return false
        case 200..<400, 404, 410: return isSameUser(of: stored, in: result, lookup)
        default: return false
        }
    }

    /// Returns whether a stored response may replace a failed result as a last resort.
    ///
    /// It may not if another user has signed in since it was found.
    private func canReplace(
        _ result: AttemptResult,
        _ stored: StoredResponse,
        _ lookup: Lookup,
        in call: CallContext
    ) -> Bool {
        switch result.outcome {
        case .response(let response):
            guard [500, 502, 503, 504].contains(response.status.rawValue) else { return false }
        case .failure(let failure):
            guard failure.isReplaceable(ofCredential: result.isFinal) else { return false }
        }
        // The redirects layer wouldn't see it.
        guard !RedirectTarget.isRedirect(stored.head.status.rawValue) else { return false }
        // Not by the request as sent, which has no cookies if its credential couldn't be refreshed.
        return CacheDecision.isUsableOnError(stored.head, lookup.wanted, at: call.clock.date)
            && user.key(of: lookup.request, at: call.clock.date, cache.digest) == stored.head.key
            && user.selects(stored.head, for: lookup.request, at: call.clock, cache.digest)
    }

    /// Stores a complete response, and returns whether it, or one that was requested later, is stored.
    private func store(
        _ result: AttemptResult,
        of lookup: Lookup,
        _ storing: Storing,
        _ writer: any CacheWriter,
        _ date: Date,
        in call: CallContext
    ) async -> Bool {
        // A failure that the request finds in a response isn't stored. An exchange interceptor may have changed it.
        guard let response = result.response, response.status == response.receivedStatus,
            StorageRules.allow(response.head), isWhole(response, result.streamedLength),
            let selectors = user.selectors(
                for: response.headers,
                result.request,
                for: lookup.request,
                lookup.key,
                cache.digest
            ),
            !cache.store.removals.contains(lookup.key.url, since: storing.start),
            result.streamedLength.map(storing.hasBody) ?? true
        else {
            writer.discard()
            return false
        }
        if result.streamedLength == nil, !response.body.isEmpty { writer.write(response.body) }
        var fields = StorageRules.fields(of: response.headers)
        // Readers of the stored response need to know how old it is (RFC 9110, section 6.6.1).
        if fields[.date] == nil { fields[.date] = HTTPDate.text(of: date) }
        let head = StoredHead(
            key: lookup.key,
            selectors: selectors,
            status: response.status,
            headers: fields,
            requestDate: result.requestDate(answeredAt: date),
            responseDate: date
        )
        let now = call.clock.date
        let end = await use(in: call) { await writer.commit(head, at: now) }
        if end == .stored { cache.countStored() }
        return end == .stored || end == .outdated
    }

    /// Returns whether a body has its announced length.
    private func isWhole(_ response: HTTPResponse, _ streamedLength: Int64?) -> Bool {
        guard let length = response.head.bodyLength else { return true }
        return length == streamedLength ?? Int64(response.body.count)
    }
}

// MARK: - Validation

extension CacheLayer {
    /// Answers with the stored response that a 304 confirms.
    ///
    /// Returns nil if it confirms another.
    private func confirm(
        _ stored: StoredResponse,
        by result: AttemptResult,
        _ lookup: Lookup,
        in call: CallContext
    ) async -> AttemptResult? {
        guard let head = result.response?.head, Validation.confirms(head, stored.head) else {
            await use(in: call) { await cache.store.remove(stored) }
            return nil
        }
        var fresh = StoredResponse(
            id: stored.id,
            head: await freshen(stored, by: result, head, in: call),
            body: stored.body
        )
        guard !call.plan.isBackground else {
            cache.count(.revalidated)
            return result
        }
        // The fields that aren't stored, because each use needs those of a validation (section 5.2.2.4).
        for name in fresh.head.headers.cacheControl.fieldsToValidate
        where !Validation.isKept(name) {
            for value in head.headers.values(for: name) {
                fresh.head.headers.append(value, for: name)
            }
        }
        var answer = await answer(fresh, .revalidated, lookup.request, in: call)
        answer.change { ($0.isSent, $0.phases) = (result.isSent, result.phases) }
        return answer
    }

    /// Updates the stored fields with those of a newer response.
    private func freshen(
        _ stored: StoredResponse,
        by result: AttemptResult,
        _ head: ResponseHead,
        in call: CallContext
    ) async -> StoredHead {
        let now = endpoint.clock.date
        let fresh = StoredHead(
            key: stored.head.key,
            selectors: stored.head.selectors,
            status: stored.head.status,
            headers: Validation.merge(head, into: stored.head, at: now),
            requestDate: result.requestDate(answeredAt: now),
            responseDate: now
        )
        if Validation.isStillStorable(fresh, since: stored.head) {
            await use(in: call) { await cache.store.update(stored, to: fresh) }
        } else {
            await use(in: call) { await cache.store.remove(stored) }
        }
        return fresh
    }

    /// Updates a stored response after a HEAD, or removes it if they differ (section 4.3.5).
    private func update(
        _ stored: StoredResponse,
        byHead result: AttemptResult,
        in call: CallContext
    ) async {
        guard let head = result.response?.head, head.status == .ok else { return }
        if Validation.agrees(head, with: stored.head) {
            _ = await freshen(stored, by: result, head, in: call)
        } else {
            await use(in: call) { await cache.store.remove(stored) }
        }
    }

    /// Validates a stored response after use (RFC 5861, section 3), unless another call does.
    func revalidate(
        _ stored: StoredResponse,
        _ lookup: Lookup,
        in call: CallContext
    ) {
        guard let flight = cache.flights.begin(lookup.key, call.plan.priority) else { return }
        let control = CallControl(clock: call.clock)
        var context = CallContext(
            control: control,
            reporter: nil,
            plan: CallPlan(inBackgroundOf: call.plan)
        )
        // The body of a value stays in memory, for the request and the interceptors that read it.
        if call.sink != nil { context.sink = { DiscardingSink() } }
        endpoint.register(control)
        control.setDeadline(settings.values.timeouts.total)
        Task { [context] in
            _ = await flight.work.run { await ask(lookup, stored, flight, in: context) }
            control.endDeadline()
            endpoint.forget(control)
        }
    }
}

extension AttemptResult {
    /// Returns the time when the request was sent whose response arrived at a date.
    fileprivate func requestDate(answeredAt date: Date) -> Date {
        date - (phases?.headDuration ?? .zero) / .seconds(1)
    }
}

/// Answers a failed call with a stale response if allowed (RFC 5861, section 4).
///
/// It is above the retries, so it applies only to calls whose retries have failed.
struct StaleIfErrorLayer: Layer {
    let cache: HTTPCache
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
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
        var result = await ResumeLayer(next: fallback).send(request, in: call)
        result.change { parts in
            (parts.attempt, parts.history) = (failed.attempt, failed.history)
            (parts.sentAttempts, parts.isSent) = (failed.sentAttempts, failed.isSent)
            parts.phases = failed.phases
        }
        return result
    }
}

extension CallFailure {
    /// Returns whether a stale response may replace the failure: an outage, which a retry could change, or a failed refresh.
    ///
    /// - Parameter isOfCredential: Whether a refresh failed. Any other error of the caller's own code is for the caller.
    /// - Returns: Whether it may.
    fileprivate func isReplaceable(ofCredential isOfCredential: Bool) -> Bool {
        switch self {
        case .transport(let error): isOfCredential || error.kind.isTransient
        case .timeout(.idle): true
        case .invalidRequest, .interceptor: isOfCredential
        case .cancelled, .timeout(.total): false
        }
    }
}
