/// The layer that asks the request for the status of each complete response (``Request/status(of:)``).
///
/// The layers outside of it, such as authentication, cache and retries, see the status that the request returns.
struct StatusLayer: Layer {
    func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        var result = await next.send(request, in: call)
        // The response that 304 confirms was asked about when it was stored.
        guard let response = result.response, response.status != .notModified else { return result }
        let status = call.plan.status(response)
        if status != response.status {
            result.change { $0.outcome = .response(response.read(as: status)) }
        }
        return result
    }
}
