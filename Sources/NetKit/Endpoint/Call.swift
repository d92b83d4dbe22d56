import Foundation

/// Hears how a call goes; the callback face of an operation.
protocol CallObserver: AnyObject, Sendable {
    /// The call is about to be sent; it waits until this returns.
    func callWillStart(_ control: CallControl) async
    /// Whether anybody wants to hear of transfers.
    var isWatchingTransfers: Bool { get }
    /// Bytes went either way.
    func callDidTransfer(_ count: TransferCount)
    /// An attempt is over, or the request was refused.
    func callDidAttempt(_ info: DebugInfo)
}

/// One call from its description to its value: encode, send until it stands, decode.
struct Call<R: Request>: Sendable {
    typealias Failure = ErrorResponse<R.ErrorType>
    typealias Outcome = Result<Response<R.ResponseObjectType>, Failure>

    let request: R
    let endpoint: Endpoint
    let control: CallControl
    let observer: (any CallObserver)?

    /// Runs the call to its one outcome, and tells everybody who observes the endpoint.
    func run() async -> Outcome {
        let report = CallReporter(R.self, endpoint)
        let (outcome, response) = await outcome(report)
        let observation = endpoint.observation
        if !observation.isEmpty {
            observation.finished(request, outcome.map(\.value), response: response)
        }
        switch outcome {
        case .success: report?(.finished(nil))
        case .failure(let error): report?(.finished("\(error)"))
        }
        return outcome
    }

    private func outcome(_ report: CallReporter?) async -> (Outcome, HTTPResponse?) {
        let settings = endpoint.settings
        control.setDeadline(orDefault: settings.values.timeouts.total)
        defer { control.setDeadline(nil) }
        if let stopped = control.stopped { return (.failure(Failure(CallFailure(stopped))), nil) }
        do {
            let traits = RequestTraits.of(request)
            let defaults = settings.values.encoding
            let encoded = try RequestEncoder.encode(request, traits, defaults: defaults)
            report?.queued(encoded)
            if let observer { await observer.callWillStart(control) }
            let start = endpoint.clock.now
            let download = DownloadPlan(request, traits)
            let session = RetrierSession(endpoint.requestRetrying.all, request)
            let last = await send(encoded, download, report, session)
            let outcome = outcome(of: last, session, isInFile: download != nil, since: start)
            if case .success = outcome { report?(.decoded) }
            return (outcome, last.response)
        } catch {
            let failure = Failure.invalidRequest(error)
            observe(nil, failure)
            return (.failure(failure), nil)
        }
    }

    private func send(
        _ encoded: EncodedRequest,
        _ download: DownloadPlan?,
        _ report: CallReporter?,
        _ session: RetrierSession<R>?
    ) async -> AttemptRecord {
        guard download == nil, let key = Coalescer.Key(request, encoded) else {
            return await loop(download, report, session, control).run(encoded)
        }
        let record = await endpoint.coalescer
            .run(key, encoded, control: control, clock: endpoint.clock) { control in
                await loop(nil, report, session, control).run(encoded)
            }
        report?.joined(record)
        return record
    }

    private func loop(
        _ download: DownloadPlan?,
        _ report: CallReporter?,
        _ session: RetrierSession<R>?,
        _ control: CallControl
    ) -> RetryLoop {
        var onProgress: TransferWatch?
        var onRetry: (@Sendable (AttemptRecord) -> Void)?
        if let observer {
            onProgress = { count in
                guard observer.isWatchingTransfers, let count = count() else { return }
                observer.callDidTransfer(count)
            }
            onRetry = { record in
                _ = outcome(of: record, session, isInFile: download != nil, since: record.start)
            }
        }
        var onFailure: (@Sendable (AttemptRecord) async -> RetryLoop.Replacement)?
        if let session {
            onFailure = { record in
                await replacement(session, record, isInFile: download != nil)
            }
        }
        return RetryLoop(
            endpoint: endpoint,
            control: control,
            timeout: request.timeout.map { Duration(timeout: $0) },
            retryPolicy: request.retryPolicy,
            download: download,
            interceptors: request.interceptors,
            priority: request.priority,
            context: request.context,
            onProgress: onProgress,
            onRetry: onRetry,
            onFailure: onFailure,
            report: report
        )
    }

    /// Asks the retriers, in their order, what to send instead of a request that failed.
    private func replacement(
        _ session: RetrierSession<R>,
        _ record: AttemptRecord,
        isInFile: Bool
    ) async -> RetryLoop.Replacement {
        guard case .failure(let error) = meaning(of: record, session, isInFile: isInFile) else {
            return .none
        }
        let request = session.request
        let result = await UserCode.run(control) { () -> EncodedRequest? in
            for retrier in session.retriers where retrier.canHandleError(error, for: request) {
                let next = await retrier.handleError(error, for: request, on: endpoint)
                guard let next else { continue }
                session.replace(with: next)
                return try RequestEncoder.encode(next, defaults: endpoint.settings.values.encoding)
            }
            return nil
        }
        switch result {
        case .success(let next?): return .send(next)
        case .success(nil): return .none
        case .failure(let failure): return .fail(failure)
        }
    }

    /// What an attempt means to this request; decoded once, whoever asks.
    private func meaning(
        of record: AttemptRecord,
        _ session: RetrierSession<R>?,
        isInFile: Bool
    ) -> Result<R.ResponseObjectType, Failure> {
        switch record.ending {
        case .failed(let failure): return .failure(Failure(failure))
        case .response(let http):
            guard let session else { return interpret(http, isInFile: isInFile) }
            return session.meaning(ofAttempt: record.number) {
                interpret(http, isInFile: isInFile)
            }
        }
    }

    /// What an attempt means to this request; tells the observer.
    private func outcome(
        of record: AttemptRecord,
        _ session: RetrierSession<R>?,
        isInFile: Bool,
        since start: UInt64
    ) -> Outcome {
        switch meaning(of: record, session, isInFile: isInFile) {
        case .failure(let error):
            if !record.isObserved {
                observe(record, error)
            }
            return .failure(error)
        case .success(let value):
            guard let http = record.response else {
                return .failure(.transport(TransportError(.malformedResponse)))
            }
            observe(record, nil)
            let response = Response(
                value: value,
                http: http,
                attempts: record.number,
                duration: .nanoseconds(Int64(endpoint.clock.now - start)),
                history: record.history
            )
            return .success(response)
        }
    }

    private func interpret(
        _ http: HTTPResponse,
        isInFile: Bool
    ) -> Result<R.ResponseObjectType, Failure> {
        guard isInFile, http.status.isSuccessful else {
            return ResponseInterpreter.interpret(http, of: request, decoder: decoder)
        }
        return fileValue(http)
    }

    /// The value of a download: its body is in the file, so that nothing is left to interpret.
    private func fileValue(_ http: HTTPResponse) -> Result<R.ResponseObjectType, Failure> {
        do {
            return .success(try request.responseDecoding.decode(http, decoder))
        } catch {
            return .failure(.decoding(http, underlying: error))
        }
    }

    private var decoder: JSONDecoder {
        control.settings.decoder ?? request.decoder ?? endpoint.settings.values.decoder
            ?? Endpoint.defaultDecoder
    }

    /// Tells the observer of an attempt; of a refused request where there was none.
    private func observe(_ record: AttemptRecord?, _ failure: Failure?) {
        guard let observer else { return }
        let now = endpoint.clock.now
        observer.callDidAttempt(
            DebugInfo(
                sessionConfiguration: endpoint.sessionConfiguration,
                request: record?.request,
                response: record?.response,
                error: failure,
                duration: Double(now - (record?.start ?? now)) / 1_000_000_000,
                phases: record?.phases
            )
        )
    }
}
