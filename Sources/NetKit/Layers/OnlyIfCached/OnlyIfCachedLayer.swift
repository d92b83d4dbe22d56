import Foundation

/// Refuses a call that may only be answered from a cache, for an endpoint without one.
package struct OnlyIfCachedLayer: Layer {
    package func send(
        _ request: EncodedRequest,
        in call: CallContext,
        next: NextLayers
    ) async -> AttemptResult {
        Self.refusal(of: request, in: call)
    }

    /// Returns a 504 for a request that must not be sent (RFC 9111, section 5.2.1.7).
    ///
    /// It isn't retried.
    package static func refusal(of request: EncodedRequest, in call: CallContext) -> AttemptResult {
        let head = ResponseHead(status: 504)
        var parts = AttemptResult.Parts(
            request,
            .response(HTTPResponse(to: request, head, body: Data()))
        )
        (parts.attempt, parts.isFinal, parts.cacheOutcome) = (call.attempt, true, .miss)
        return AttemptResult(parts)
    }
}
