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

    /// Sends `request`, and what redirects make of it.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The request that was sent last, and how it ended.
    func send(_ request: EncodedRequest) async -> (EncodedRequest, AttemptOutcome) {
        guard let download else { return await follow(request) { stream } }
        var request = request
        let rest = download.prepare(&request)
        // Each response has a sink of its own, redirects' too; the last one's is the one that counts.
        let sink = Locked(download.sink(for: rest))
        let (last, outcome) = await follow(request) {
            let next = download.sink(for: rest)
            sink.withLock { $0 = next }
            return next
        }
        let final = sink.withLock { $0 }
        do {
            let head: ResponseHead? = if case .response(let head, _) = outcome { head } else { nil }
            if try download.startsOver(after: head?.status, final, rest) {
                return await send(withoutRange(last))
            }
            if let head { try await download.complete(head, final) }
            return (last, outcome)
        } catch {
            return (last, .failed(TransportError(.other, underlying: error)))
        }
    }

    private func follow(
        _ request: EncodedRequest,
        into sink: () -> (any BodySink)?
    ) async -> (EncodedRequest, AttemptOutcome) {
        let policy = endpoint.settings.values.redirectPolicy
        let credentials = CredentialPass(endpoint: endpoint, control: control)
        var credential = credentials.isNeeded(for: request)
        var request = request
        var followed = 0
        while true {
            let (sent, outcome) = await send(request, into: sink, credential ? credentials : nil)
            guard case .response(let head, _) = outcome else { return (sent, outcome) }
            let decision = RedirectRules.decide(
                head,
                after: request,
                policy: policy,
                followed: followed
            )
            switch decision {
            case .deliver: return (sent, outcome)
            case .fail(let error): return (sent, .failed(error))
            case .follow(let next):
                // Once elsewhere, nobody there may send a request back that is authenticated.
                credential = credential && next.origin == request.origin
                report?(.redirected(head.status, to: "\(RedactedURL(next.url))"))
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
    ) async -> (EncodedRequest, AttemptOutcome) {
        var recoveries = 0
        while true {
            var sent = request
            if let failure = await credentials?.authenticate(&sent) {
                return (sent, .refused(failure))
            }
            let outcome = await exchange(sent, into: sink)
            guard let credentials, recoveries < 2, case .response(let head, let body) = outcome
            else { return (sent, outcome) }
            let response = HTTPResponse(to: sent, head, body: body)
            let recovery = await credentials.recover(from: response, to: sent)
            if case .success(let result) = recovery, result != .none { report?(.refreshed(result)) }
            switch recovery {
            case .success(.none): return (sent, outcome)
            case .success(.newerCredential): recoveries += 1
            case .success(.refreshed): recoveries = 2
            case .failure(let failure): return (sent, .refused(failure))
            }
        }
    }

    /// Sends one request once, when there is a place for it.
    private func exchange(
        _ request: EncodedRequest,
        into sink: () -> (any BodySink)?
    ) async -> AttemptOutcome {
        let origin = request.origin
        if let origin {
            guard await endpoint.gate.enter(origin, priority, control: control) else {
                return .stopped(control.stopped ?? .cancelled)
            }
        }
        defer { if let origin { endpoint.gate.leave(origin) } }
        return await attempt(for: request, sink: sink())
            .run(
                request,
                over: endpoint.transport,
                control: control
            )
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
