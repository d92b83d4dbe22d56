extension Endpoint {
    /// Sends `request` and gives the response as soon as its head is there.
    ///
    /// The endpoint follows redirects, and a response that is not 2xx is the call's typed error, with its body. Until
    /// the head has come, retriers and the ``RetryPolicy`` retry the call as any other; afterwards nothing does.
    /// Observers by status and of events are notified at the end of the stream. An observer by type is notified of a
    /// stream that fails without a head: a stream has no value. The idle timeout applies as long as the stream lasts,
    /// so that a quiet one needs a longer ``Request/timeout``.
    /// ``maximumResponseSize`` does not count. Cancelling the task that waits for the head, or that
    /// reads, ends the transfer.
    ///
    /// - Parameter request: What to ask. Its decoding and converters matter for errors alone.
    /// - Returns: The response, to be read once.
    /// - Throws: The call's one error.
    public func stream<R: Request>(
        _ request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> ResponseStream {
        try await stream(request) { _ in }
    }

    /// Streams with header fields that are changed once more before the request is sent.
    func stream<R: Request>(
        _ request: R,
        changing headers: @escaping @Sendable (inout HTTPHeaders) -> Void
    ) async throws(ErrorResponse<R.ErrorType>) -> ResponseStream {
        let call = call(
            request,
            FollowUp { request throws(InvalidRequest) in
                var changed = request
                headers(&changed.headers)
                return changed
            }
        )
        return try await call.stream().get()
    }
}

extension Call {
    /// Streams the response: ends with its head, while the transfer goes on.
    fileprivate func stream() async -> Result<ResponseStream, Failure> {
        let decoder = CallDecoder(of: self, isDownload: false)
        let reporter = reporter()
        let encoded: EncodedRequest
        do throws(InvalidRequest) {
            encoded = try encode(request, traits)
        } catch {
            let failure = Failure.invalidRequest(error)
            finish(failure, response: nil, reporter)
            return .failure(failure)
        }
        reporter?.report(.queued(encoded))
        control.setDeadline(endpoint.settings.values.timeouts.total)
        let isResumable = encoded.method == .get && encoded.headers[.range] == nil
        let channel = StreamChannel(limit: 16 << 20, isResumable: isResumable)
        let plan = plan(of: request, to: .channel(channel), decoder)
        let transfer = Task { await self.transfer(encoded, plan, reporter, to: channel) }
        let head = await withTaskCancellationHandler {
            await channel.head()
        } onCancel: {
            control.stop(.cancelled)
        }
        if let head {
            let json =
                request.decoder ?? endpoint.settings.values.decoder ?? Endpoint.defaultDecoder
            return .success(
                ResponseStream(head, channel, decoder: json) { control.stop(.cancelled) }
            )
        }
        let result = await transfer.value
        // A 2xx response always has a head for the channel.
        let failure =
            decoder.failure(of: result) ?? .transport(TransportError(.malformedResponse))
        finish(failure, response: result.response, reporter)
        return .failure(failure)
    }

    /// Notifies the observers of a stream that has no head.
    private func finish(_ failure: Failure, response: HTTPResponse?, _ reporter: CallReporter?) {
        endpoint.observation.finished(request, .failure(failure), response: response)
        reporter?.report(.finished("\(failure)"))
    }

    /// Runs the transfer of a stream to its end.
    private func transfer(
        _ encoded: EncodedRequest,
        _ plan: CallPlan,
        _ reporter: CallReporter?,
        to channel: StreamChannel
    ) async -> AttemptResult {
        endpoint.register(control)
        defer { endpoint.forget(control) }
        let result = await send(encoded, plan, reporter, control)
        control.setDeadline(nil)
        // Without a head, `stream` reports how the call ended.
        if channel.hasBegun {
            if let response = result.response { endpoint.observation.received(response) }
            reporter?.report(.finished(result.failure?.message))
        }
        channel.finish(result.failure.map { $0.ofStream })
        return result
    }
}

extension CallFailure {
    /// The error that the reader of a stream gets.
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
