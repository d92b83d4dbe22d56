import Foundation

extension Endpoint {
    /// Sends a request and returns the response as soon as its head arrives.
    ///
    /// The endpoint follows redirects. A response other than 2xx throws the call's typed error, with the body. Until
    /// the head arrives, interceptors and the ``RetryPolicy`` apply as usual. After that, nothing is retried.
    ///
    /// - The idle timeout applies for the whole stream, so a quiet stream needs a longer ``Request/timeout``.
    /// - ``maximumResponseSize`` doesn't apply.
    /// - Observers of status codes and events are notified when the stream ends. Observers of a type are notified only
    ///   of a stream that fails, because a stream has no value. A reader that leaves is no failure.
    /// - Canceling the task that awaits the head or reads the body ends the transfer.
    ///
    /// - Parameter request: The request to send. Its decoding and converters apply only to errors.
    /// - Returns: The response, which can be read once.
    /// - Throws: The call's ``ErrorResponse``.
    public func stream<R: Request>(
        _ request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> ResponseStream {
        try await stream(request) { _ in }
    }

    /// Starts a stream after a last change to the request's header fields.
    func stream<R: Request>(
        _ request: R,
        changing headers: @escaping @Sendable (inout HTTPHeaders) -> Void
    ) async throws(ErrorResponse<R.ErrorType>) -> ResponseStream {
        let followUp = FollowUp { request throws(InvalidRequest) in headers(&request.headers) }
        return try await call(request, followUp).stream()
    }
}

extension Call {
    /// Starts the stream off the caller's actor, and returns at its head, while the transfer continues.
    @concurrent
    fileprivate func stream() async throws(Failure) -> ResponseStream {
        let reporter = reporter()
        endpoint.register(control)
        let encoded: EncodedRequest
        switch begin(reporter) {
        case .success(let request): encoded = request
        case .failure(let reason):
            endpoint.forget(control)
            let failure = Failure(reason)
            failed(failure, nil, reporter)
            throw failure
        }
        control.setDeadline(settings.values.timeouts.total)
        let isResumable = encoded.method == .get && encoded.headers[.range] == nil
        let channel = StreamChannel(limit: 16 << 20, isResumable: isResumable)
        let plan = plan(to: .channel(channel))
        let transfer = Task { await self.transfer(encoded, plan, reporter, to: channel) }
        let head = await withTaskCancellationHandler {
            await channel.head()
        } onCancel: {
            control.stop(.cancelled)
        }
        if let head {
            let json = request.decoder ?? settings.values.decoder ?? Endpoint.defaultDecoder
            return ResponseStream(
                head,
                channel,
                decoder: json,
                onUndecodable: { reporter?.report(.undecodable(ErrorSummary.line(for: $0))) },
                stop: { control.stop(.cancelled) }
            )
        }
        let result = await transfer.value
        // A 2xx response always delivers its head to the channel.
        let failure = failure(of: result) ?? .transport(TransportError(.malformedResponse))
        failed(failure, result.response, reporter)
        throw failure
    }

    /// Runs the transfer of a stream, which is registered, to its end.
    private func transfer(
        _ encoded: EncodedRequest,
        _ plan: CallPlan,
        _ reporter: CallReporter?,
        to channel: StreamChannel
    ) async -> AttemptResult {
        defer { endpoint.forget(control) }
        let result = await send(encoded, plan, reporter, control)
        control.endDeadline()
        let missing = channel.missingRest.map { CallFailure.transport(TransportError(ofSink: $0)) }
        let ending = result.failure ?? missing
        // Without a head, `stream` reports the end of the call.
        if channel.endOpening() {
            if let response = result.response { endpoint.observation.received(response) }
            let failure = ending.map { ErrorResponse<ServerMessage>($0) }
            let isCancelled = failure?.isCancellation == true
            // A reader may leave at any time.
            if let ending, !isCancelled, !endpoint.observation.isEmpty {
                let failure = Failure(ending)
                endpoint.observation.finished(request, .failure(failure), response: nil)
            }
            reporter?
                .report(
                    .finished(failure?.description, result.response, isCancellation: isCancelled)
                )
        }
        channel.finish(ending.map { $0.ofStream }, isStopped: control.stopped != nil)
        return result
    }
}

extension CallFailure {
    /// The error that the reader of a stream receives.
    fileprivate var ofStream: any Error {
        switch self {
        case .transport(let error):
            (error.underlying as? StreamFailure) ?? StreamFailure.transport(error)
        case .timeout(let phase): StreamFailure.timeout(phase)
        case .cancelled: StreamFailure.cancelled
        case .invalidRequest(let error): error
        case .interceptor(let error): error
        }
    }
}
