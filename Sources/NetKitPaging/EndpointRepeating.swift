public import NetKit

extension Endpoint {
    /// Returns the values of a request that is sent again and again, such as a server's state to watch.
    ///
    /// Nothing is sent until you read. Each element is the value of one call, with its own retries, interceptors and
    /// ``timeouts``. The next call starts after a pause, which begins when the previous call has ended, so that calls
    /// never overlap. The time that you take to handle a value counts towards the pause. If it is longer, the next call
    /// starts as soon as you read.
    ///
    /// The sequence has no end of its own. Leaving the loop sends no further requests. Any error ends the sequence:
    ///
    /// - The call's typed ``ErrorResponse``, which isn't a reason to go on: the call was retried already. Canceling the
    ///   task, or ``cancelAllRequests()``, ends the call or the pause at once and throws `.cancelled`.
    /// - `.transport` with the kind ``TransportError/Kind/unsupported``, before anything is sent, if the pause isn't
    ///   positive, or if the request is a download, because all responses would go to one file.
    ///
    /// Each iterator starts with a call of its own. To wait for one result, use
    /// ``poll(_:backoff:deadline:followsOtherOrigins:)``.
    ///
    /// - Parameters:
    ///   - request: The request, with any method. It is encoded anew for each call.
    ///   - pause: The time from the end of a call to the start of the next one. It must be positive. The endpoint's
    ///     clock measures it.
    /// - Returns: The decoded values, in the order of the calls.
    public func repeating<R: Request>(
        _ request: R,
        every pause: Duration
    ) -> ResponseElements<R.ResponseObjectType> {
        ResponseElements {
            var calls = RepeatedCalls(endpoint: self, request: request, pause: pause)
            return .init { try await calls.next() }
        }
    }
}

/// The calls of a repeated request, one after the other.
private struct RepeatedCalls<R: Request>: Sendable {
    let endpoint: Endpoint
    let request: R
    let pause: Duration
    /// The end of the previous call by the endpoint's clock, or nil before the first one.
    private var end: UInt64?
    private var isOver = false

    init(endpoint: Endpoint, request: R, pause: Duration) {
        self.endpoint = endpoint
        self.request = request
        self.pause = pause
    }

    mutating func next() async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType? {
        guard !isOver else { return nil }
        // Stays over unless another value arrives.
        isOver = true
        if let end {
            let rest = pause - endpoint.clock.elapsed(since: end)
            if let reason = await endpoint.pause(for: rest) {
                throw ErrorResponse(CallFailure(reason))
            }
        } else {
            guard pause > .zero else {
                let feature = UnsupportedFeature(
                    "to repeat a request without a pause between calls"
                )
                throw .transport(TransportError(.unsupported, underlying: feature))
            }
            try request.refuseDownload(to: "to repeat")
        }
        let value = try await endpoint.run(endpoint.call(request)).value
        end = endpoint.clock.now
        isOver = false
        return value
    }
}
