import Foundation

/// One attempt of a call: sends the request and follows where the server points.
struct Exchange: Sendable {
    let endpoint: Endpoint
    let control: CallControl
    /// The request's own idle timeout.
    let timeout: Duration?
    /// How the response gets into a file, nil to gather it in memory.
    let download: DownloadPlan?
    /// Takes the response while it arrives; nil for one that is wanted whole.
    let stream: StreamChannel?
    /// Whom the request may overtake.
    let priority: RequestPriority
    let onProgress: TransferWatch?
    /// Told what happens, if anybody listens.
    let report: CallReporter?
    /// Which attempt of the call it is.
    var attempt = 1

    /// Sends `request`, and what redirects make of it.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The request that was sent last, and how it ended.
    func send(_ request: EncodedRequest) async -> SentRequest {
        guard let download else { return await follow(request) { stream } }
        switch await UserCode.run(control, { try await download.prepare(request) }) {
        case .success(let (request, rest)): return await send(request, for: rest, of: download)
        case .failure(let failure): return SentRequest(request: request, outcome: outcome(failure))
        }
    }

    /// Sends a download, or what is left of one.
    private func send(
        _ request: EncodedRequest,
        for rest: DownloadPlan.Rest?,
        of download: DownloadPlan
    ) async -> SentRequest {
        // Each response has a sink of its own, redirects' too; the last one's is the one that counts.
        let sink = Locked(download.sink(for: rest))
        var last = await follow(request) {
            let next = download.sink(for: rest)
            sink.withLock { $0 = next }
            return next
        }
        let final = sink.withLock { $0 }
        let head: ResponseHead? =
            if case .response(let head, _) = last.outcome { head } else { nil }
        // A call that ends without a response does not wait for a disk that hangs.
        if head == nil, await !isWrittenSoon(final) { return last }
        switch await UserCode.run(control, { try await download.finish(head, final, rest) }) {
        case .success(true): return await send(withoutRange(last.request))
        case .success(false): break
        case .failure(let failure): last.outcome = outcome(failure)
        }
        return last
    }

    /// Waits until what has come is written, for a second of real time at most.
    private func isWrittenSoon(_ sink: FileSink) async -> Bool {
        let (wait, isWritten) = (Wait(), Locked(false))
        sink.whenSettled {
            isWritten.withLock { $0 = true }
            wait.finish()
        }
        let clock = DeadlineClock.shared
        await wait.run(CallControl(clock: clock), atMost: .seconds(1), clock: clock)
        return isWritten.withLock { $0 }
    }

    private func outcome(_ failure: CallFailure) -> AttemptOutcome {
        if let stopped = control.stopped { return .stopped(stopped) }
        if case .transport(let error) = failure { return .failed(error) }
        return .refused(failure)
    }

    private func follow(
        _ request: EncodedRequest,
        into sink: () -> (any BodySink)?
    ) async -> SentRequest {
        let policy = endpoint.settings.values.redirectPolicy
        let credentials = CredentialPass(endpoint: endpoint, control: control)
        var credential = credentials.isNeeded(for: request)
        var request = request
        var followed = 0
        while true {
            var sent = await send(request, into: sink, credential ? credentials : nil)
            guard case .response(let head, _) = sent.outcome else { return sent }
            let decision = RedirectRules.decide(
                head,
                after: request,
                policy: policy,
                followed: followed
            )
            switch decision {
            case .deliver: return sent
            case .fail(let error):
                sent.outcome = .failed(error)
                return sent
            case .follow(let next):
                // What was sent while it came cannot be sent again.
                guard next.body?.sequence == nil else { return sent }
                report?(.redirected(head.status, to: "\(RedactedURL(next.url))"))
                if next.origin != request.origin {
                    report?.leftBehind(of: request, authentication: credential)
                    // Once elsewhere, nobody there may send a request back that is authenticated.
                    credential = false
                }
                request = next
                followed += 1
            }
        }
    }

    /// Sends one request to one address, and again if its credential turns out to be out of date.
    private func send(
        _ request: EncodedRequest,
        into sink: () -> (any BodySink)?,
        _ credentials: CredentialPass?
    ) async -> SentRequest {
        var recoveries = 0
        while true {
            var authenticated = request
            if let failure = await credentials?.authenticate(&authenticated) {
                return SentRequest(request: authenticated, outcome: .refused(failure))
            }
            var sent = await exchange(authenticated, into: sink)
            guard let credentials, recoveries < 2, authenticated.body?.sequence == nil,
                case .response(let head, let body) = sent.outcome
            else { return sent }
            let response = HTTPResponse(to: sent.request, head, body: body)
            let recovery = await credentials.recover(from: response, to: sent.request)
            if case .success(let result) = recovery, result != .none { report?(.refreshed(result)) }
            switch recovery {
            case .success(.none): return sent
            case .success(.newerCredential): recoveries += 1
            case .success(.refreshed): recoveries = 2
            case .failure(let failure):
                sent.outcome = .refused(failure)
                sent.unrecovered = response
                return sent
            }
        }
    }

    /// Sends one request once, when there is a place for it.
    private func exchange(
        _ request: EncodedRequest,
        into sink: () -> (any BodySink)?
    ) async -> SentRequest {
        let clock = endpoint.clock
        let origin = request.origin
        let kind = kind
        let start = clock.now
        let startDate = report?.isWatchingExchanges == true ? Date() : nil
        var request = request
        request.kind = kind
        if let origin {
            guard await endpoint.gate.enter(origin, kind, priority, control: control) else {
                let outcome = AttemptOutcome.stopped(control.stopped ?? .cancelled)
                return SentRequest(request: request, outcome: outcome)
            }
        }
        defer { if let origin { endpoint.gate.leave(origin, kind) } }
        report?.sending(request)
        let attempt = attempt(for: request, sink: sink())
        let outcome = await attempt.run(request, over: endpoint.transport, control: control)
        let measured = attempt.measured
        let sent = SentRequest(
            request: request,
            outcome: outcome,
            phases: measured.times.phases(since: start),
            sunkLength: measured.sunkLength
        )
        if let report, let startDate {
            let duration = Duration.nanoseconds(Int64(clock.now - start))
            report.exchanged(sent, attempt: self.attempt, from: startDate, lasting: duration)
        }
        return sent
    }

    /// Which limits count: other calls wait for a refresh, and a stream may last for hours.
    private var kind: ExchangeKind {
        guard BearerAuthentication.refreshing.isEmpty else { return .refresh }
        return stream == nil ? .call : .stream
    }

    /// The same for another attempt of the call.
    func of(attempt: Int) -> Exchange {
        var exchange = self
        exchange.attempt = attempt
        return exchange
    }

    private func withoutRange(_ request: EncodedRequest) -> EncodedRequest {
        var request = request
        request.headers.remove(.range)
        request.headers.remove(.ifRange)
        return request
    }

    private func attempt(for encoded: EncodedRequest, sink: (any BodySink)?) -> Attempt {
        Attempt(
            clock: endpoint.clock,
            limit: endpoint.settings.values.maximumResponseSize,
            body: encoded.body?.length,
            progress: download == nil && (encoded.body?.length ?? 0) > 0 ? .upload : .download,
            sink: sink,
            idleTimeout: { idleTimeout },
            onProgress: onProgress,
            report: report
        )
    }

    /// The longest silence: the operation's, else the request's, else the endpoint's.
    private var idleTimeout: Duration {
        control.settings.idleTimeout ?? timeout ?? endpoint.settings.values.timeouts.idle
    }
}
