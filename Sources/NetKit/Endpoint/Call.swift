import Foundation

/// Hears how a call goes; the callback face of an operation.
protocol CallObserver: AnyObject, Sendable {
    /// The call is about to be sent; it waits until this returns.
    func callWillStart(_ control: CallControl) async
    /// Bytes went either way.
    func callDidTransfer(_ count: TransferCount)
    /// An attempt is over, or the request was refused.
    func callDidAttempt(_ info: DebugInfo)
}

/// One call from its description to its value: encode, send, follow, try again, decode.
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
        if let stopped = control.stopped { return .failure(failure(stopped)) }
        do {
            let traits = RequestTraits.of(request)
            let defaults = settings.values.encoding
            let encoded = try RequestEncoder.encode(request, traits, defaults: defaults)
            await observer?.callWillStart(control)
            return await attempts(encoded, download: DownloadPlan(request, traits))
        } catch {
            let failure = Failure.invalidRequest(error)
            observe(nil, nil, failure, since: endpoint.clock.now)
            return .failure(failure)
        }
    }

    private func attempts(_ encoded: EncodedRequest, download: DownloadPlan?) async -> Outcome {
        var encoded = encoded
        let start = endpoint.clock.now
        let exchange = Exchange(
            endpoint: endpoint,
            control: control,
            observer: observer,
            timeout: request.timeout.map { Duration(timeout: $0) }
        )
        var retries = 0
        while true {
            if let stopped = control.stopped { return .failure(failure(stopped)) }
            addIdempotencyKeyIfConsented(to: &encoded)
            let attemptStart = endpoint.clock.now
            let (last, outcome) = await exchange.send(
                encoded,
                download: download
            )
            let failure: Failure
            let trouble: AttemptFailure?
            switch outcome {
            case .response(let head, body: let body):
                let http = HTTPResponse(to: last, head, body: body)
                switch interpret(http, isInFile: download != nil) {
                case .success(let value):
                    observe(last, http, nil, since: attemptStart)
                    let duration = Duration.nanoseconds(Int64(endpoint.clock.now - start))
                    return .success(
                        Response(
                            value: value,
                            http: http,
                            attempts: retries + 1,
                            duration: duration
                        )
                    )
                case .failure(let error):
                    (failure, trouble) = (error, self.trouble(with: head))
                }
            case .stopped(let reason): (failure, trouble) = (self.failure(reason), nil)
            case .idleTimeout: (failure, trouble) = (.timeout(.idle), .idleTimeout)
            case .failed(let error):
                (failure, trouble) = (.transport(error), .transport(error.kind))
            }
            observe(last, failure.response, failure, since: attemptStart)
            guard let trouble, let delay = delay(after: trouble, of: encoded, retries: retries)
            else { return .failure(failure) }
            await Wait.pause(for: delay, control: control, clock: endpoint.clock)
            retries += 1
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

    /// What a failed attempt's response says about trying again; nil for one that did not decode.
    private func trouble(with head: ResponseHead) -> AttemptFailure? {
        guard !head.status.isSuccessful else { return nil }
        let retryAfter = head.headers[.retryAfter].flatMap { RetryAfter.delay($0) }
        return .status(head.status, retryAfter: retryAfter)
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

    private func failure(_ reason: StopReason) -> Failure {
        switch reason {
        case .cancelled: .cancelled
        case .totalDeadline: .timeout(.total)
        }
    }
}

// MARK: - Trying again

extension Call {
    private func delay(
        after failure: AttemptFailure,
        of encoded: EncodedRequest,
        retries: Int
    ) -> Duration? {
        let policy = endpoint.settings.values.retryPolicy
        let rules = RetryRules(policy: policy, consent: control.settings.retries)
        let decision = rules.decide(
            failure,
            method: encoded.method,
            hasIdempotencyKey: encoded.headers[.idempotencyKey] != nil,
            retries: retries,
            random: Double.random(in: 0...1)
        )
        guard case .retry(let delay) = decision else { return nil }
        return delay
    }

    /// `retryOnFail` is consent to repeat a POST or PATCH; the key lets the server know it again.
    private func addIdempotencyKeyIfConsented(to encoded: inout EncodedRequest) {
        guard encoded.method == .post || encoded.method == .patch,
            let retries = control.settings.retries, retries > 0,
            encoded.headers[.idempotencyKey] == nil
        else { return }
        encoded.headers[.idempotencyKey] = UUID().uuidString
    }
}

// MARK: - Looking on

extension Call {
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
