import NetKitSupport

/// Delivers bodies to a file or a reader, and resumes them with `Range` and `If-Range`.
///
/// It selects the sink of each response and the part of an earlier response to keep.
package struct ResumeLayer: Layer {
    let next: any Layer

    package init(next: any Layer) { self.next = next }

    package func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        switch call.plan.destination {
        case .memory: await next.send(request, in: call)
        case .file(let download): await send(request, to: download, in: call)
        case .channel(let channel): await send(request, to: channel, in: call)
        }
    }

    /// Streams a response.
    ///
    /// A transfer paused for a slow reader resumes when there is room.
    private func send(
        _ request: EncodedRequest,
        to channel: StreamChannel,
        in call: CallContext
    ) async -> AttemptResult {
        guard !channel.hasBegun else {
            let failure = CallFailure.transport(StreamChannel.isSentAgain)
            return AttemptResult(request, failure: failure, isFinal: true)
        }
        var call = call
        call.sink = { channel }
        var result = await next.send(request, in: call)
        while request.method == .get, request.headers[.range] == nil,
            let fields = channel.takeResumeFields()
        {
            let wait = Wait()
            if channel.awaitRoom({ wait.finish() }) { await wait.run(call.control) }
            if let stopped = call.control.stopped {
                return AttemptResult(request, failure: CallFailure(stopped))
            }
            var rest = request
            for (name, value) in fields { rest.headers[name] = value }
            result = await next.send(rest, in: call)
        }
        return result
    }

    /// Sends a download or requests the rest of one.
    private func send(
        _ request: EncodedRequest,
        to download: DownloadPlan,
        in call: CallContext
    ) async -> AttemptResult {
        let reporter = call.reporter
        let onRestart = { @Sendable (reason: DownloadRestart) in
            reporter?.report(.startedOver(reason)) ?? ()
        }
        let (prepared, rest): (EncodedRequest, DownloadPlan.Rest?)
        switch await call.control.run({ try await download.prepare(request, onRestart: onRestart) })
        {
        case .failure(let failure): return AttemptResult(request, failure: failure)
        case .success(let success): (prepared, rest) = success
        }
        // Each response has a sink of its own, a redirect's too. The last one with a whole body counts: an interceptor may
        // have sent again after it. A later body replaces an earlier one.
        let first = download.sink(for: rest, onRestart: onRestart)
        let sinks = Locked<[FileSink]>([])
        var call = call
        call.sink = {
            let earlier = sinks.withLock { $0.last { $0.isWhole } }
            let sink = download.sink(for: rest, replacing: earlier, onRestart: onRestart)
            sinks.withLock { $0.append(sink) }
            return sink
        }
        var result = await next.send(prepared, in: call)
        let sink =
            sinks.withLock { sinks in
                sinks.last { $0.isWhole } ?? sinks.last { $0.isCut || $0.mustStartOver }
                    ?? sinks.last
            } ?? first
        let head = result.response?.head
        // A call without a response doesn't wait for a hanging disk, unless it has to start over.
        if head == nil, !sink.mustStartOver, await !isWrittenSoon(sink) { return result }
        switch await call.control.run({ try await download.finish(head, sink, rest) }) {
        case .success(true):
            // The partial file doesn't match the server's version, so request the whole file.
            if head?.status == 416 { onRestart(.rangeNotSatisfiable) }
            var whole = prepared
            whole.headers.remove(.range)
            whole.headers.remove(.ifRange)
            return await send(whole, to: download, in: call)
        case .success(false): break
        case .failure(let failure): result.fail(failure)
        }
        return result
    }

    /// Waits until a sink has written everything, for at most one second of real time.
    private func isWrittenSoon(_ sink: FileSink) async -> Bool {
        let wait = Wait()
        sink.whenSettled { wait.finish() }
        let clock = DeadlineClock.shared
        await wait.run(CallControl(clock: clock), atMost: .seconds(1), clock: clock)
        return wait.isFinished
    }
}
