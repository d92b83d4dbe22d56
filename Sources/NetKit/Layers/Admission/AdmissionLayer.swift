import Foundation

/// Waits for a connection slot, by priority, and for the end of a host's pause.
struct AdmissionLayer: Layer {
    let gate: RequestQueue

    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        var (request, call) = (request, call)
        let kind = kind(of: call)
        request.kind = kind
        call.queuedTime = call.clock.now
        if call.reporter != nil { call.queuedDate = Date() }
        guard let origin = request.origin else { return await next.send(request, in: call) }
        guard await gate.enter(origin, kind, call.plan.priority, control: call.control) else {
            let reason = call.control.stopped ?? .cancelled
            return AttemptResult(request, failure: CallFailure(reason))
        }
        defer { gate.leave(origin, kind) }
        return await next.send(request, in: call)
    }

    /// Returns the kind of exchange, which selects the limits.
    ///
    /// Other calls wait for a refresh, and a stream may last for hours.
    private func kind(of call: CallContext) -> ExchangeKind {
        guard !SharedWork.isInRefresh else { return .refresh }
        return call.plan.isStream ? .stream : .call
    }
}
