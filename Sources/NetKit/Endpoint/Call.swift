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

    /// Runs the call to its one outcome.
    func run() async -> Outcome {
        let settings = endpoint.settings
        control.setDeadline(control.settings.deadline ?? settings.values.timeouts.total)
        defer { control.setDeadline(nil) }
        if let stopped = control.stopped { return .failure(Failure(CallFailure(stopped))) }
        do {
            let traits = RequestTraits.of(request)
            let defaults = settings.values.encoding
            let encoded = try RequestEncoder.encode(request, traits, defaults: defaults)
            if let observer { await observer.callWillStart(control) }
            let start = endpoint.clock.now
            let download = DownloadPlan(request, traits)
            let last = await loop(download: download).run(encoded)
            return outcome(of: last, isInFile: download != nil, since: start)
        } catch {
            let failure = Failure.invalidRequest(error)
            observe(nil, nil, failure, since: endpoint.clock.now)
            return .failure(failure)
        }
    }

    private func loop(download: DownloadPlan?) -> RetryLoop {
        var onProgress: TransferWatch?
        var onRetry: (@Sendable (AttemptRecord) -> Void)?
        if let observer {
            onProgress = { count in
                guard observer.isWatchingTransfers, let count = count() else { return }
                observer.callDidTransfer(count)
            }
            onRetry = { record in
                _ = outcome(of: record, isInFile: download != nil, since: record.start)
            }
        }
        return RetryLoop(
            endpoint: endpoint,
            control: control,
            timeout: request.timeout.map { Duration(timeout: $0) },
            download: download,
            onProgress: onProgress,
            onRetry: onRetry
        )
    }

    /// What an attempt means to this request; tells the observer.
    private func outcome(
        of record: AttemptRecord,
        isInFile: Bool,
        since start: UInt64
    ) -> Outcome {
        switch record.ending {
        case .failed(let failure):
            let error = Failure(failure)
            observe(record.request, nil, error, since: record.start)
            return .failure(error)
        case .response(let http):
            switch interpret(http, isInFile: isInFile) {
            case .success(let value):
                observe(record.request, http, nil, since: record.start)
                let duration = Duration.nanoseconds(Int64(endpoint.clock.now - start))
                return .success(
                    Response(value: value, http: http, attempts: record.number, duration: duration)
                )
            case .failure(let error):
                observe(record.request, http, error, since: record.start)
                return .failure(error)
            }
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

    private func observe(
        _ encoded: EncodedRequest?,
        _ response: HTTPResponse?,
        _ failure: Failure?,
        since start: UInt64
    ) {
        guard let observer else { return }
        observer.callDidAttempt(
            DebugInfo(
                sessionConfiguration: endpoint.sessionConfiguration,
                request: encoded,
                response: response,
                error: failure,
                duration: Double(endpoint.clock.now - start) / 1_000_000_000
            )
        )
    }
}
