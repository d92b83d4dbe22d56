extension Endpoint {
    /// Sends `request` and gives the response as soon as its head is there.
    ///
    /// Redirects are followed, and what is not 2xx is the call's typed error, with its body. Until the head has
    /// come the call is tried again by the ``RetryPolicy``, retriers are not asked; afterwards it is not. Observers
    /// by type do not hear of it, those by status do. The idle timeout goes on for
    /// as long as the stream does, so that a quiet one needs a longer ``Request/timeout``.
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
        changing headers: (inout HTTPHeaders) -> Void
    ) async throws(ErrorResponse<R.ErrorType>) -> ResponseStream {
        let report = CallReporter(R.self, self)
        do throws(ErrorResponse<R.ErrorType>) {
            return try await stream(request, changing: headers, report)
        } catch {
            report?(.finished("\(error)"))
            throw error
        }
    }

    private func stream<R: Request>(
        _ request: R,
        changing headers: (inout HTTPHeaders) -> Void,
        _ report: CallReporter?
    ) async throws(ErrorResponse<R.ErrorType>) -> ResponseStream {
        let control = CallControl(clock: clock)
        let settings = settings.values
        let encoded: EncodedRequest
        do {
            var request = try RequestEncoder.encode(request, defaults: settings.encoding)
            headers(&request.headers)
            encoded = request
        } catch {
            throw .invalidRequest(error)
        }
        report?.queued(encoded)
        control.setDeadline(settings.timeouts.total)
        let isResumable = encoded.method == .get && encoded.headers[.range] == nil
        let channel = StreamChannel(limit: 16 << 20, isResumable: isResumable)
        let loop = RetryLoop(
            endpoint: self,
            control: control,
            timeout: request.timeout.map { Duration(timeout: $0) },
            retryPolicy: request.retryPolicy,
            download: nil,
            interceptors: request.interceptors,
            priority: request.priority,
            context: request.context,
            stream: channel,
            onProgress: nil,
            onRetry: nil,
            report: report
        )
        let transfer = Task { await self.transfer(encoded, loop, to: channel) }
        let head = await withTaskCancellationHandler {
            await channel.head()
        } onCancel: {
            control.stop(.cancelled)
        }
        let decoder = request.decoder ?? settings.decoder ?? Self.defaultDecoder
        if let head {
            return ResponseStream(head, channel, decoder: decoder) { control.stop(.cancelled) }
        }
        switch await transfer.value.ending {
        case .failed(let failure): throw ErrorResponse(failure)
        case .response(let response):
            let result = ResponseInterpreter.interpret(response, of: request, decoder: decoder)
            if case .failure(let error) = result { throw error }
            // A 2xx response always has a head for the channel.
            throw .transport(TransportError(.malformedResponse))
        }
    }

    /// Runs the transfer of a stream to its end.
    private func transfer(
        _ request: EncodedRequest,
        _ loop: RetryLoop,
        to channel: StreamChannel
    ) async -> AttemptRecord {
        register(loop.control)
        defer { forget(loop.control) }
        var record = await loop.run(request)
        while let fields = channel.takeFieldsOfRest() {
            let wait = Wait()
            if channel.awaitRoom({ wait.finish() }) { await wait.run(loop.control) }
            var rest = request
            for (name, value) in fields { rest.headers[name] = value }
            var loop = loop
            loop.earlierAttempts = record.number
            record = await loop.run(rest)
        }
        loop.control.setDeadline(nil)
        // Without a head it is the one who waits for it that tells how the call ended.
        if channel.hasBegun { loop.report?(.finished(record.ending.failure)) }
        if let response = record.response { observation.received(response) }
        switch record.ending {
        case .response: channel.finish(nil)
        case .failed(.transport(let error)):
            channel.finish((error.underlying as? StreamFailure) ?? StreamFailure.transport(error))
        case .failed(.timeout(let phase)): channel.finish(StreamFailure.timeout(phase))
        case .failed: channel.finish(CancellationError())
        }
        return record
    }
}
