import Foundation

/// One call, from its request to its value: encodes, sends through the pipeline, decodes.
struct Call<R: Request>: Sendable {
    typealias Failure = ErrorResponse<R.ErrorType>
    typealias Outcome = Result<Response<R.ResponseObjectType>, Failure>

    let request: R
    let endpoint: Endpoint
    let control: CallControl
    let traits: RequestTraits
    let observer: (any CallObserver)?
    /// What changes of the encoded request; nil for nothing.
    var followUp: FollowUp?
    /// Whether the request goes to a foreign link, where its own interceptors are not asked.
    var isForeign: Bool

    /// Creates a call that has not begun.
    init(
        request: R,
        endpoint: Endpoint,
        control: CallControl,
        observer: (any CallObserver)? = nil
    ) {
        self.request = request
        self.endpoint = endpoint
        self.control = control
        self.observer = observer
        traits = RequestTraits.of(request)
        isForeign = false
    }

    /// Runs the call to its one outcome, and notifies the observers of the endpoint.
    func run() async -> Outcome {
        let download = DownloadPlan(request, traits)
        let decoder = CallDecoder(of: self, isDownload: download != nil)
        return await respond(decoder, to: download) { result, outcome in
            endpoint.observation.finished(
                request,
                outcome.map(\.value),
                response: result?.response
            )
        } value: {
            decoder.value(of: $0)
        }
    }

    /// Runs a call whose value is nil as long as the response is 202.
    func poll() async -> Result<Response<R.ResponseObjectType?>, Failure> {
        let decoder = CallDecoder(of: self, isDownload: false, isPolling: true)
        return await respond(decoder, to: nil) { result, outcome in
            switch outcome {
            case .success(let response):
                guard let value = response.value else {
                    return endpoint.observation.received(response.http)
                }
                endpoint.observation.finished(request, .success(value), response: response.http)
            case .failure(let error):
                endpoint.observation.finished(request, .failure(error), response: result?.response)
            }
        } value: { result in
            decoder.isPending(result) ? .success(nil) : decoder.value(of: result).map { $0 }
        }
    }

    /// The request as the call would send it now.
    func encoded() throws(Failure) -> EncodedRequest {
        do throws(InvalidRequest) {
            return try encode(request, traits)
        } catch {
            throw .invalidRequest(error)
        }
    }

    /// Encodes a request of this call.
    func encode(
        _ request: R,
        _ traits: RequestTraits
    ) throws(InvalidRequest) -> EncodedRequest {
        let encoded = try RequestEncoder.encode(
            request,
            traits,
            defaults: endpoint.settings.values.encoding,
            withBody: followUp?.dropsBody != true
        )
        return try followUp?(encoded) ?? encoded
    }

    private func respond<Value>(
        _ decoder: CallDecoder<R>,
        to download: DownloadPlan?,
        notify: (AttemptResult?, Result<Response<Value>, Failure>) -> Void,
        value: (AttemptResult) -> Result<Value, Failure>
    ) async -> Result<Response<Value>, Failure> {
        let reporter = reporter(decoder)
        let (outcome, result) = await outcome(decoder, to: download, reporter, value)
        if !endpoint.observation.isEmpty { notify(result, outcome) }
        switch outcome {
        case .success: reporter?.report(.finished(nil))
        case .failure(let error): reporter?.report(.finished("\(error)"))
        }
        return outcome
    }

    private func outcome<Value>(
        _ decoder: CallDecoder<R>,
        to download: DownloadPlan?,
        _ reporter: CallReporter?,
        _ value: (AttemptResult) -> Result<Value, Failure>
    ) async -> (Result<Response<Value>, Failure>, AttemptResult?) {
        control.setDeadline(orDefault: endpoint.settings.values.timeouts.total)
        defer { control.setDeadline(nil) }
        if let stopped = control.stopped { return (.failure(Failure(CallFailure(stopped))), nil) }
        let encoded: EncodedRequest
        do throws(InvalidRequest) {
            encoded = try encode(request, traits)
        } catch {
            let failure = Failure.invalidRequest(error)
            debug(nil, failure)
            return (.failure(failure), nil)
        }
        reporter?.report(.queued(encoded))
        await observer?.callWillStart(control)
        let start = endpoint.clock.now
        let (result, isOwn) = await send(encoded, to: download, decoder, reporter)
        // An attempt that never began was not reported, and that of a shared transfer only to the call that began it.
        if !isOwn || result.history.last?.number != result.attempt {
            debug(result, decoder.failure(of: result))
        }
        switch value(result) {
        case .failure(let failure): return (.failure(failure), result)
        case .success(let value):
            guard let http = result.response else {
                return (.failure(.transport(TransportError(.malformedResponse))), result)
            }
            reporter?.report(.decoded)
            let response = Response(
                value: value,
                http: http,
                attempts: result.sentAttempts,
                duration: endpoint.clock.elapsed(since: start),
                history: result.history
            )
            return (.success(response), result)
        }
    }

    /// Sends the request, or shares the transfer of an identical one.
    ///
    /// - Returns: The result, and whether this call began the transfer.
    private func send(
        _ encoded: EncodedRequest,
        to download: DownloadPlan?,
        _ decoder: CallDecoder<R>,
        _ reporter: CallReporter?
    ) async -> (AttemptResult, isOwn: Bool) {
        let plan = plan(of: request, to: download.map { .file($0) } ?? .memory, decoder)
        guard download == nil, let key = Coalescer.Key(request, encoded) else {
            return (await send(encoded, plan, reporter, control), true)
        }
        let isOwn = Locked(false)
        let result = await endpoint.coalescer
            .run(key, encoded, control: control, clock: endpoint.clock) { control in
                isOwn.withLock { $0 = true }
                return await send(encoded, plan, reporter, control)
            }
        reporter?.report(.joined(result))
        return (result, isOwn.withLock { $0 })
    }

    /// Sends a request through the pipeline; cancelling the task cancels the call.
    func send(
        _ encoded: EncodedRequest,
        _ plan: CallPlan,
        _ reporter: CallReporter?,
        _ control: CallControl
    ) async -> AttemptResult {
        let context = CallContext(
            control: control,
            clock: endpoint.clock,
            reporter: reporter,
            plan: plan
        )
        let pipeline = Pipeline(of: endpoint)
        return await withTaskCancellationHandler {
            if case .file(let download) = plan.destination,
                case .failure(let failure) = await context.run({ try await download.begin() })
            {
                return AttemptResult(encoded, failure: failure, isFinal: true)
            }
            return switch await prepare(encoded, control) {
            case .success(let prepared): await pipeline.send(prepared, in: context)
            case .failure(let failure): AttemptResult(encoded, failure: failure, isFinal: true)
            }
        } onCancel: {
            control.stop(.cancelled)
        }
    }

    /// Does what has to be done once for each request: spools a body that is a sequence.
    func prepare(
        _ encoded: EncodedRequest,
        _ control: CallControl
    ) async -> Result<EncodedRequest, CallFailure> {
        guard let sequence = encoded.body?.sequence else { return .success(encoded) }
        var prepared = encoded
        if sequence.isLive, endpoint.transport.sendsSequences {
            prepared.body = BodySource(sequence.once())
            return .success(prepared)
        }
        switch await BodySpool.spool(sequence, control: control) {
        case .success(let body): prepared.body = body
        case .failure(let failure): return .failure(failure)
        }
        return .success(prepared)
    }
}
