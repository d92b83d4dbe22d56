/// The last layer, which sends one request over the transport.
struct ExchangeLayer: Layer {
    let transport: any Transport
    let limits: ExchangeLimits
    /// Receives the head of each response, or nil without a cookie jar.
    let headReceiver: (any HeadReceiver)?

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        call.reporter?.report(.sending(request))
        let exchange = Exchange(
            of: request,
            in: call,
            limits: limits,
            headReceiver: headReceiver
        )
        return result(await exchange.run(over: transport), of: exchange, sending: request, in: call)
    }

    private func result(
        _ outcome: AttemptResult.Outcome,
        of exchange: Exchange,
        sending request: EncodedRequest,
        in call: CallContext
    ) -> AttemptResult {
        let measured = exchange.measured
        let queued = call.queuedTime ?? call.clock.now
        var parts = AttemptResult.Parts(request, outcome)
        parts.attempt = call.attempt
        parts.isSent = true
        parts.phases = measured.times.phases(since: queued, over: measured.connection)
        parts.streamedLength = measured.streamedLength
        let result = AttemptResult(parts)
        if let reporter = call.reporter, let start = call.queuedDate {
            let duration = call.clock.elapsed(since: queued)
            let attempt = call.attempt
            reporter.report(.exchanged(result, attempt: attempt, from: start, lasting: duration))
        }
        return result
    }
}
