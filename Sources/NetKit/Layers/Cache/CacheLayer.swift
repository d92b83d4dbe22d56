import Foundation

/// Answers requests with stored responses, and stores responses, by RFC 9111 as a private cache.
///
/// It stands above the credentials: a fresh response needs no token. What needs a validation, or is missed, goes to the
/// layers below once, however many calls ask for it at the same time.
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
            // What a refresh gets is not to come from a cache, and must not wait for a call that waits for it.
            BearerAuthentication.refreshing.isEmpty
        else {
            if call.plan.cachePolicy == .onlyIfCached { return refusal(of: request, in: call) }
            let result = await next.send(request, in: call)
            if !request.method.isSafe { invalidate(after: result, of: request) }
            return result
        }
        if let reporter = call.reporter, let problem = cache.takeProblem() {
            reporter.report(.cacheUnavailable(problem))
        }
        return await send(request, wanted, in: call, next)
    }

    /// A request that a cache may answer.
    struct Lookup: Sendable {
        let request: EncodedRequest
        let wanted: CacheRequest
        let key: CacheKey

        init(_ request: EncodedRequest, _ wanted: CacheRequest, _ key: CacheKey) {
            self.request = request
            self.wanted = wanted
            self.key = key
        }
    }

    private func send(
        _ request: EncodedRequest,
        _ wanted: CacheRequest,
        in call: CallContext,
        _ next: NextLayers
    ) async -> AttemptResult {
        // Nobody waits for a reader who may take hours, and a HEAD brings no body.
        var mayWait = !call.plan.isStream && !wanted.isHead
        while true {
            // The jar may have other cookies than before a wait.
            let key = user.key(of: request, at: call.clock.date, cache.digest)
            let lookup = Lookup(request, wanted, key)
            let stored = await find(lookup, in: call)
            let decision = CacheDecision(
                for: lookup.wanted,
                stored?.head,
                isRepeated: call.attempt > 1,
                at: call.clock.date
            )
            switch (decision, stored) {
            case (.hit, let stored?): return await answer(stored, .hit, lookup.request, in: call)
            case (.stale(let revalidates), let stored?):
                if revalidates { revalidate(stored, lookup, in: call, next) }
                return await answer(stored, .stale, lookup.request, in: call)
            case (.refuse, _): return refusal(of: lookup.request, in: call)
            default: break
            }
            guard mayWait else { return await ask(lookup, stored, nil, in: call, next) }
            switch cache.flights.join(lookup.key) {
            case .leader(let flight): return await lead(flight, lookup, stored, in: call, next)
            case .follower(let follower):
                switch await follower.ending(call.control, atMost: patience(of: call), call.clock) {
                case .settled: mayWait = false
                case .left: break
                case nil:
                    let failure = call.control.stopped.map { CallFailure($0) } ?? .cancelled
                    return AttemptResult(lookup.request, failure: failure)
                }
            }
        }
    }

    /// How long a call waits for the request of another one before it sends its own: as long as for a server.
    private func patience(of call: CallContext) -> Duration {
        call.control.settings.idleTimeout ?? call.plan.timeout
            ?? endpoint.settings.values.timeouts.idle
    }

    /// The stored response that a request selects.
    private func find(_ lookup: Lookup, in call: CallContext) async -> StoredResponse? {
        guard cache.store.mayHave(lookup.key) else { return nil }
        return await cache.store.find(lookup.key) { [user, cache] head in
            user.selects(head, for: lookup.request, at: call.clock, cache.digest)
        }
    }

    private func answer(
        _ stored: StoredResponse,
        _ outcome: CacheOutcome,
        _ request: EncodedRequest,
        in call: CallContext
    ) async -> AttemptResult {
        cache.count(outcome)
        if call.plan.isBackground {
            return AttemptResult(request, failure: .cancelled, isFinal: true)
        }
        return await layer(for: stored, outcome).send(request, in: call, next: NextLayers([]))
    }

    private func layer(for stored: StoredResponse, _ outcome: CacheOutcome) -> StoredAnswer {
        StoredAnswer(
            stored: stored,
            outcome: outcome,
            maximumSize: endpoint.settings.values.maximumResponseSize
        )
    }

    /// The answer to a request that must not be sent (RFC 9111, section 5.2.1.7); it is not retried.
    private func refusal(of request: EncodedRequest, in call: CallContext) -> AttemptResult {
        cache.count(.miss)
        let head = ResponseHead(status: .gatewayTimeout)
        var parts = AttemptResult.Parts(
            request,
            .response(HTTPResponse(to: request, head, body: Data()))
        )
        (parts.attempt, parts.isFinal, parts.cacheOutcome) = (call.attempt, true, .miss)
        return AttemptResult(parts)
    }

    /// Removes what an unsafe request has changed (section 4.4).
    private func invalidate(after result: AttemptResult, of request: EncodedRequest) {
        guard let response = result.response, (200..<400).contains(response.status.rawValue) else {
            return
        }
        cache.remove(request.url)
        for name in [HTTPHeaderName.location, .contentLocation] {
            guard let text = response.headers[name],
                let url = URL(string: text, relativeTo: request.url)?.absoluteURL,
                Origin(url) == request.origin
            else { continue }
            cache.remove(url)
        }
    }
}

// MARK: - Asking the server

extension CacheLayer {
    /// Asks the server, for the calls that wait as well.
    private func lead(
        _ flight: CacheFlights.Flight,
        _ lookup: Lookup,
        _ stored: StoredResponse?,
        in call: CallContext,
        _ next: NextLayers
    ) async -> AttemptResult {
        let result = await ask(lookup, stored, flight, in: call, next)
        cache.flights.end(flight, call.control.stopped == nil ? .settled : .left)
        return result
    }

    /// Asks the server for a response, or whether a stored one is still valid.
    private func ask(
        _ lookup: Lookup,
        _ stored: StoredResponse?,
        _ flight: CacheFlights.Flight?,
        in call: CallContext,
        _ next: NextLayers
    ) async -> AttemptResult {
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
            if let confirmed = await confirm(validated, by: result, lookup, in: call) {
                return confirmed
            }
            return await ask(lookup, nil, flight, in: call, next)
        }
        if let stored, lookup.wanted.isHead { await update(stored, byHead: result) }
        if let stored, canReplace(result, stored, lookup.wanted, in: call) {
            // An error does not take the place of a response that can still be used.
            storing.discard()
            let fallback = layer(for: stored, .stale)
            result.change { $0.fallback = fallback }
        } else {
            await store(result, of: lookup, storing)
        }
        cache.count(.miss)
        result.change { $0.cacheOutcome = .miss }
        return result
    }

    /// Whether a stored response may take the place of a result, once nothing else helps.
    private func canReplace(
        _ result: AttemptResult,
        _ stored: StoredResponse,
        _ wanted: CacheRequest,
        in call: CallContext
    ) -> Bool {
        switch result.outcome {
        case .response(let response):
            guard [500, 502, 503, 504].contains(response.status.rawValue) else { return false }
        case .failure(let failure):
            guard !failure.endsCall else { return false }
        }
        // The redirects layer would not see it.
        guard !RedirectRules.isRedirect(stored.head.status) else { return false }
        return CacheDecision.isUsableOnError(stored.head, wanted, at: call.clock.date)
    }

    /// Stores a complete response.
    private func store(
        _ result: AttemptResult,
        of lookup: Lookup,
        _ storing: Storing
    ) async {
        guard let (writer, date) = storing.take() else { return }
        guard let response = result.response, isWhole(response, result.streamedLength),
            let selectors = user.selectors(
                for: response.headers,
                result.request,
                for: lookup.request,
                lookup.key,
                cache.digest
            ),
            !cache.hasRemoved(lookup.key.url, since: storing.start),
            result.streamedLength.map({ $0 == storing.written }) ?? true
        else { return writer.discard() }
        if result.streamedLength == nil, !response.body.isEmpty { writer.write(response.body) }
        let delay = result.phases?.head ?? .zero
        let head = StoredHead(
            key: lookup.key,
            selectors: selectors,
            status: response.status,
            headers: StorageRules.fields(of: response.headers),
            requestDate: date - delay / .seconds(1),
            responseDate: date
        )
        if await writer.commit(head) { cache.countStored() }
    }

    /// Whether a body has the length that was announced.
    private func isWhole(_ response: HTTPResponse, _ streamedLength: Int64?) -> Bool {
        guard let length = response.head.bodyLength else { return true }
        return length == streamedLength ?? Int64(response.body.count)
    }
}

// MARK: - Validation

extension CacheLayer {
    /// Answers with a stored response that a 304 is about; nil if it is about another one.
    private func confirm(
        _ stored: StoredResponse,
        by result: AttemptResult,
        _ lookup: Lookup,
        in call: CallContext
    ) async -> AttemptResult? {
        guard let head = result.response?.head, Validation.confirms(head, stored.head) else {
            await cache.store.remove(stored)
            return nil
        }
        let fresh = StoredResponse(
            id: stored.id,
            head: await freshen(stored, by: result, head),
            body: stored.body
        )
        var answer = await answer(fresh, .revalidated, lookup.request, in: call)
        answer.change { ($0.isSent, $0.phases) = (result.isSent, result.phases) }
        return answer
    }

    /// Updates the stored fields by those of a newer response.
    private func freshen(
        _ stored: StoredResponse,
        by result: AttemptResult,
        _ head: ResponseHead
    ) async -> StoredHead {
        let now = endpoint.clock.date
        let fresh = StoredHead(
            key: stored.head.key,
            selectors: stored.head.selectors,
            status: stored.head.status,
            headers: Validation.merge(head, into: stored.head, at: now),
            requestDate: now - (result.phases?.head ?? .zero) / .seconds(1),
            responseDate: now
        )
        if Validation.isStillStorable(fresh, since: stored.head) {
            await cache.store.update(stored, to: fresh)
        } else {
            await cache.store.remove(stored)
        }
        return fresh
    }

    /// Updates a stored response by the response to a HEAD, or removes it if that is about another one (section 4.3.5).
    private func update(_ stored: StoredResponse, byHead result: AttemptResult) async {
        guard let head = result.response?.head, head.status == .ok else { return }
        if Validation.agrees(head, with: stored.head) {
            _ = await freshen(stored, by: result, head)
        } else {
            await cache.store.remove(stored)
        }
    }

    /// Validates a stored response after it was used (RFC 5861, section 3), unless somebody does already.
    private func revalidate(
        _ stored: StoredResponse,
        _ lookup: Lookup,
        in call: CallContext,
        _ next: NextLayers
    ) {
        guard let flight = cache.flights.begin(lookup.key) else { return }
        let control = CallControl(clock: call.clock)
        var context = CallContext(
            control: control,
            clock: call.clock,
            reporter: nil,
            plan: CallPlan(inBackgroundOf: call.plan)
        )
        context.sink = { DiscardingSink() }
        endpoint.register(control)
        control.setDeadline(endpoint.settings.values.timeouts.total)
        Task { [context] in
            _ = await lead(flight, lookup, stored, in: context, next)
            control.setDeadline(nil)
            endpoint.forget(control)
        }
    }
}
