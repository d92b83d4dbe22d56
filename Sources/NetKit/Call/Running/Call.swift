import Foundation
import NetKitSupport

/// A call from its request to its decoded value.
///
/// It encodes the request, sends it through the pipeline, and decodes the result.
package struct Call<R: Request>: Sendable {
    package typealias Failure = ErrorResponse<R.ErrorType>
    package typealias Value = R.ResponseObjectType

    let endpoint: Endpoint
    /// The endpoint's settings when the call was created: later changes are for later calls.
    let settings: SettingsSnapshot
    package let control: CallControl
    let traits: RequestTraits
    var observer: (any CallObserver)?
    /// A change to the encoded request, or nil for none.
    var followUp: FollowUp?
    /// Whether the call follows a link to another origin, which bypasses the request's interceptors.
    package var isForeign: Bool
    /// Whether a 202 response has no value yet.
    var isPolling = false
    /// Whether the call repeats its request, whose earlier response in a cache says nothing new.
    package var isRepeated = false
    // Last, so that the places of the others don't depend on its type.
    let request: R

    /// Creates a call without starting it.
    init(
        request: R,
        endpoint: Endpoint,
        control: CallControl,
        observer: (any CallObserver)? = nil
    ) {
        self.request = request
        self.endpoint = endpoint
        settings = endpoint.settings
        self.control = control
        self.observer = observer
        traits = RequestTraits.of(request)
        isForeign = false
    }

    /// Runs the call to completion and notifies the endpoint's observers.
    package func run() async throws(Failure) -> Response<Value> {
        let reporter = reporter()
        return try end(await transfer(reporter), reporter)
    }

    /// Runs a polling call, whose value is nil for a 202 response.
    package func poll() async throws(Failure) -> Response<Value?> {
        var call = self
        call.isPolling = true
        let reporter = reporter()
        let sent = await call.transfer(reporter)
        if case .result(let result, let start) = sent, let http = result.response,
            http.status == .accepted
        {
            control.endDeadline()
            reporter?.report(.decoded)
            endpoint.observation.received(http)
            reporter?.report(.finished(nil, http))
            return call.response(nil, from: http, result, since: start)
        }
        return try call.end(sent, reporter).withOptionalValue
    }

    /// Encodes the request as the call would send it now.
    package func encoded() throws(Failure) -> EncodedRequest {
        do throws(InvalidRequest) {
            return try encode()
        } catch {
            throw .invalidRequest(error)
        }
    }

    /// Encodes the request.
    private func encode() throws(InvalidRequest) -> EncodedRequest {
        var encoded = try RequestEncoder.encode(
            request,
            traits,
            defaults: settings.values.encoding,
            withBody: followUp?.dropsBody != true
        )
        try followUp?.change(&encoded)
        return encoded
    }

    /// Encodes and sends the request.
    private func transfer(_ reporter: CallReporter?) async -> Sent {
        setDeadline()
        let encoded: EncodedRequest
        switch begin(reporter) {
        case .success(let request): encoded = request
        case .failure(let failure): return .nothing(failure)
        }
        if let observer { await observer.callWillStart(control) }
        let start = endpoint.clock.now
        let plan = planned()
        guard request.isCoalesced, !plan.isDownload else {
            return .result(await send(encoded, plan, reporter, control), since: start)
        }
        return .result(await share(encoded, plan, reporter), since: start)
    }

    /// Starts the time that the call may take.
    @inline(never)
    private func setDeadline() {
        control.setDeadline(settings.values.timeouts.total, isDefault: true)
    }

    /// Creates the plan of the call.
    @inline(never)
    private func planned() -> CallPlan {
        plan(to: DownloadPlan(request, traits).map { .file($0) } ?? .memory)
    }

    /// Encodes the request, unless the call was stopped already.
    @inline(never)
    func begin(_ reporter: CallReporter?) -> Result<EncodedRequest, CallFailure> {
        if let stopped = control.stopped {
            let failure = CallFailure(stopped)
            if case .invalidRequest(let error) = failure { refused(error) }
            return .failure(failure)
        }
        do throws(InvalidRequest) {
            let encoded = try encode()
            reporter?.report(.queued(encoded))
            return .success(encoded)
        } catch {
            refused(error)
            return .failure(.invalidRequest(error))
        }
    }

    /// Decodes the result of the transfer, and notifies the observers.
    private func end(_ sent: Sent, _ reporter: CallReporter?) throws(Failure) -> Response<Value> {
        do throws(Failure) {
            let response = try response(of: sent, reporter)
            if observer != nil { debug(sent, nil) }
            if !endpoint.observation.isEmpty { observe(response) }
            reporter?.report(.finished(nil, response.http))
            return response
        } catch {
            if observer != nil { debug(sent, error) }
            failed(error, sent.response, reporter)
            throw error
        }
    }

    /// Decodes the result of the transfer.
    private func response(
        of sent: Sent,
        _ reporter: CallReporter?
    ) throws(Failure) -> Response<Value> {
        defer { control.endDeadline() }
        let (result, start): (AttemptResult, UInt64)
        switch sent {
        case .nothing(let failure): throw Failure(failure)
        case .result(let sent, let since): (result, start) = (sent, since)
        }
        switch result.outcome {
        case .failure(let failure): throw Failure(failure)
        case .response(let http):
            let value = try value(of: http)
            reporter?.report(.decoded)
            return response(value, from: http, result, since: start)
        }
    }

    private func response<Decoded>(
        _ value: Decoded,
        from http: HTTPResponse,
        _ result: AttemptResult,
        since start: UInt64
    ) -> Response<Decoded> {
        Response(
            value: value,
            http: http,
            cacheOutcome: result.cacheOutcome,
            attempts: result.sentAttempts,
            duration: endpoint.clock.elapsed(since: start),
            history: result.history
        )
    }

    /// Notifies the endpoint's observers, in a function of its own: most calls have none, and need no `Result`.
    @inline(never)
    private func observe(_ response: Response<Value>) {
        endpoint.observation.finished(request, .success(response.value), response: response.http)
    }

    /// Notifies the observers of a call that failed.
    func failed(_ error: Failure, _ response: HTTPResponse?, _ reporter: CallReporter?) {
        if !endpoint.observation.isEmpty {
            endpoint.observation.finished(request, .failure(error), response: response)
        }
        reporter?.report(.finished("\(error)", response, isCancellation: error.isCancellation))
    }

    /// Reports the last attempt to the operation's debug handlers.
    private func debug(_ sent: Sent, _ error: Failure?) {
        if case .result(let result, _) = sent, !result.isDebugged { debug(result, error) }
    }

    /// Joins the transfer of an identical request, or starts one, if the request may share it.
    @inline(never)
    private func share(
        _ encoded: EncodedRequest,
        _ plan: CallPlan,
        _ reporter: CallReporter?
    ) async -> AttemptResult {
        guard
            let key = Coalescer.Key(request, encoded, cachePolicy, control, on: endpoint, settings)
        else { return await send(encoded, plan, reporter, control) }
        let result = await endpoint.coalescer
            .run(key, encoded, control: control, reporter: reporter) { control in
                await send(encoded, plan, reporter, control)
            }
        reporter?.report(.joined(result))
        return result
    }

    /// Sends a request through the pipeline.
    ///
    /// Canceling the task cancels the call.
    func send(
        _ encoded: EncodedRequest,
        _ plan: CallPlan,
        _ reporter: CallReporter?,
        _ control: CallControl
    ) async -> AttemptResult {
        let context = CallContext(control: control, reporter: reporter, plan: plan)
        let layers = Pipeline.layers(of: endpoint, settings, for: plan)
        return await withTaskCancellationHandler {
            if encoded.body?.sequence == nil, !plan.isDownload {
                return await layers.send(encoded, in: context)
            }
            return switch await prepare(encoded, in: context) {
            case .success(let prepared): await layers.send(prepared, in: context)
            case .failure(let failure): AttemptResult(encoded, failure: failure, isFinal: true)
            }
        } onCancel: {
            control.stop(.cancelled)
        }
    }

    /// Prepares a download's file and the request's body.
    private func prepare(
        _ encoded: EncodedRequest,
        in context: CallContext
    ) async -> Result<EncodedRequest, CallFailure> {
        if case .file(let download) = context.plan.destination,
            case .failure(let failure) = await context.control.run({ try await download.begin() })
        {
            return .failure(failure)
        }
        // A body that is a sequence is spooled once per call.
        guard let sequence = encoded.body?.sequence else { return .success(encoded) }
        var prepared = encoded
        // An engine asks for nothing of an empty one, and would never learn how it ends.
        if sequence.isLive, sequence.length != 0, endpoint.transport.sendsSequences {
            prepared.body = BodySource(sequence.once())
            return .success(prepared)
        }
        switch await context.control.run({ try await sequence.spooled() }) {
        case .success(let body): prepared.body = body
        case .failure(let failure): return .failure(failure)
        }
        return .success(prepared)
    }
}

/// The result of a call before decoding.
///
/// It isn't generic, so that its code is compiled only once.
private enum Sent {
    /// The call ended before it was sent.
    case nothing(CallFailure)
    /// The result of the last attempt, and the transfer's start by the endpoint's clock.
    case result(AttemptResult, since: UInt64)

    /// The complete response, if there is one.
    var response: HTTPResponse? {
        if case .result(let result, _) = self { result.response } else { nil }
    }
}

// The plan and the subscribers of a call.

extension Call {
    /// Creates the plan of this call.
    func plan(to destination: CallPlan.Destination) -> CallPlan {
        var onTransfer: TransferWatch?
        var onAttempt: (@Sendable (AttemptResult) -> Void)?
        if let observer {
            if observer.isWatchingAttempts { onAttempt = { debug($0, failure(of: $0)) } }
            onTransfer = { count in
                guard observer.isWatchingTransfers, let count = count() else { return }
                observer.callDidTransfer(count)
            }
        }
        return CallPlan(
            request,
            to: destination,
            interceptors: isForeign ? [] : request.interceptors,
            retryPolicy: retryPolicy,
            cachePolicy: cachePolicy,
            onTransfer: onTransfer,
            onAttempt: onAttempt
        )
    }

    /// Creates the call's reporter, or returns nil without subscribers.
    func reporter() -> CallReporter? {
        var subscribers = endpoint.observation.subscribers
        if let logger = settings.values.logger {
            subscribers.append(CallLog(logger, warned: endpoint.warnedOrigins))
        }
        return CallReporter(request.namedType.name, subscribers, endpoint.clock)
    }

    /// Reports a refused request to the operation's debug handlers.
    func refused(_ error: InvalidRequest) {
        if observer != nil { debug(nil, .invalidRequest(error)) }
    }

    /// Reports an attempt or a refused request to the operation's debug handlers.
    func debug(_ result: AttemptResult?, _ failure: Failure?) {
        guard let observer, observer.isWatchingAttempts else { return }
        let duration = result.flatMap { result in
            result.history.last { $0.number == result.attempt }?.duration
        }
        observer.callDidAttempt(
            DebugInfo(
                sessionConfiguration: endpoint.sessionConfiguration,
                request: result?.request,
                response: result?.response,
                error: failure,
                duration: (duration ?? .zero) / .seconds(1),
                phases: result?.phases
            )
        )
    }
}

// The value of a call.

extension Call {
    /// The cache policy of the request.
    ///
    /// A poll or a repeated request with the standard policy reloads.
    var cachePolicy: CachePolicy {
        let policy = request.cachePolicy
        return (isPolling || isRepeated) && policy == .standard ? .reload : policy
    }

    /// The request's own retry policy, or nil for the endpoint's.
    ///
    /// If it retries the request's method, it also retries the GET that follows a link.
    private var retryPolicy: RetryPolicy? {
        guard var policy = request.retryPolicy else { return nil }
        if followUp?.dropsBody == true, policy.repeats(request.ownMethod) {
            policy.methods.insert(.get)
        }
        return policy
    }

    /// Returns the error of a result, or nil for a success and for a poll that goes on.
    func failure(of result: AttemptResult) -> Failure? {
        switch result.outcome {
        case .failure(let failure): return Failure(failure)
        case .response(let response):
            guard !isPolling || response.status != .accepted else { return nil }
            do throws(Failure) {
                _ = try value(of: response)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Decodes a response.
    func value(of response: HTTPResponse) throws(Failure) -> Value {
        let decoder =
            control.settings.decoder ?? request.decoder ?? settings.values.decoder
            ?? Endpoint.defaultDecoder
        guard response.status.isSuccessful, traits.download(in: request) != nil else {
            return try ResponseInterpreter.interpret(response, of: request, decoder: decoder)
        }
        // The body is in the file, so there is nothing to convert.
        do {
            return try request.responseDecoding.decode(response, decoder)
        } catch {
            throw .decoding(response, underlying: error)
        }
    }
}

/// A change to a call's encoded request, for example to follow the URL of an earlier response.
package struct FollowUp: Sendable {
    let change: @Sendable (inout EncodedRequest) throws(InvalidRequest) -> Void
    /// Whether the request becomes a GET without a body, which needn't be encoded.
    let dropsBody: Bool

    package init(
        dropsBody: Bool = false,
        _ change: @escaping @Sendable (inout EncodedRequest) throws(InvalidRequest) -> Void
    ) {
        self.dropsBody = dropsBody
        self.change = change
    }

    /// Lets the call fail before anything is sent.
    init(refusing error: InvalidRequest) {
        self.init(dropsBody: true) { _ throws(InvalidRequest) in throw error }
    }
}

extension Endpoint {
    /// Creates the call of a request or of a follow-up.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - followUp: The change to the request. Defaults to nil for none.
    /// - Returns: The call, which hasn't started.
    package func call<R: Request>(_ request: R, _ followUp: FollowUp? = nil) -> Call<R> {
        var call = Call(request: request, endpoint: self, control: CallControl(clock: clock))
        call.followUp = followUp
        return call
    }
}
