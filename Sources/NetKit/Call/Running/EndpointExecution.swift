import NetKitSupport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension Endpoint {
    /// Sends a request and returns its decoded value.
    ///
    /// The method runs in the calling task. Canceling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func value<R: Request>(
        for request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await response(for: request).value
    }

    /// Sends a request and returns its decoded value with the response and metadata.
    ///
    /// The method runs in the calling task. Canceling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The decoded value, the complete response, and details such as the number of attempts.
    /// - Throws: The call's ``ErrorResponse``.
    public func response<R: Request>(
        for request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType> {
        try await run(call(request))
    }

    /// Builds the URL request for a request without sending it.
    ///
    /// - Parameter request: The request to encode.
    /// - Returns: The method, the URL, the header fields, and a body that is in memory. A body streamed from files
    ///   isn't included.
    /// - Throws: ``InvalidRequest`` if the request can't be encoded.
    public func urlRequest<R: Request>(for request: R) throws(InvalidRequest) -> URLRequest {
        try RequestEncoder.encode(request, defaults: settings.values.encoding).urlRequest
    }

    /// Builds a `curl` command that sends the same request.
    ///
    /// The command omits everything added at send time: ``authentication``, changes by ``interceptors``, and bodies
    /// that are read while they are sent. Comments in the command say so. It includes the current cookies.
    ///
    /// - Parameters:
    ///   - request: The request, which isn't sent.
    ///   - redacting: The parts to redact. Defaults to ``Redaction/secrets``, which has the type and length of the body.
    /// - Returns: A `curl` command over several lines.
    /// - Throws: ``InvalidRequest`` if the request can't be encoded.
    public func cURL<R: Request>(for request: R, redacting: Redaction = .secrets) throws -> String {
        var encoded = try RequestEncoder.encode(request, defaults: settings.values.encoding)
        if let session = settings.values.session { encoded = session.added(to: encoded, at: clock) }
        let redaction = redacting.adding(encoded.redaction)
        var notes: [String] = []
        if let plan = DownloadPlan(request, RequestTraits.of(request)) {
            encoded = plan.plain(encoded)
            if plan.resuming { notes.append("without the range that continues a partial file") }
        }
        if settings.credentials?.covers(encoded) == true {
            notes.append(
                "without the endpoint's authentication, which NetKit adds when it sends the request"
            )
        }
        if !settings.values.interceptors.isEmpty || !request.interceptors.isEmpty {
            notes.append(
                "without the changes of interceptors, which NetKit applies when it sends the request"
            )
        }
        return CURLCommand(encoded, redacting: redaction, notes: notes).description
    }
}

extension Endpoint {
    /// Runs a call and registers it for ``cancelAllRequests()``.
    ///
    /// It runs off the caller's actor, so that encoding and decoding don't hold the actor up.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - work: The control of the stoppable work that the call is a part of. Defaults to nil for none.
    /// - Returns: The decoded value and its response.
    /// - Throws: The call's ``ErrorResponse``.
    @concurrent
    package func run<R: Request>(
        _ call: Call<R>,
        of work: CallControl? = nil
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType> {
        register(call.control, of: work)
        defer { forget(call.control, of: work) }
        return try await call.run()
    }

    /// Runs a call like ``run(_:of:)``, and returns its error as a result.
    func outcome<R: Request>(
        of call: Call<R>
    ) async -> Result<Response<R.ResponseObjectType>, ErrorResponse<R.ErrorType>> {
        do throws(ErrorResponse<R.ErrorType>) {
            return .success(try await run(call))
        } catch {
            return .failure(error)
        }
    }

    /// Runs work of several requests, which ``cancelAllRequests()`` stops also between two of them.
    ///
    /// Send each request with ``response(for:of:)``, and wait with ``pause(for:of:)``. Otherwise, a request that begins while
    /// the work is stopped could run to its end.
    ///
    /// - Parameter work: A closure that receives the control of the work, and ends when it is stopped.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    package func stoppable<Value, Failure: Error>(
        _ work: (CallControl) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let control = CallControl(clock: clock)
        register(control)
        defer { forget(control) }
        return try await work(control)
    }

    /// Sends a request of stoppable work.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - work: The control of the work, which stops the request too. Nil for a request by itself.
    /// - Returns: The decoded value and its response.
    /// - Throws: The call's ``ErrorResponse``.
    package func response<R: Request>(
        for request: R,
        of work: CallControl?
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType> {
        try await run(call(request), of: work)
    }

    /// Waits between two requests of stoppable work.
    ///
    /// - Parameters:
    ///   - delay: The length of the wait.
    ///   - control: The control of the work.
    /// - Returns: The reason for which the work must end: it was stopped, or the endpoint takes no new requests. Nil after
    ///   the delay.
    package func pause(for delay: Duration, of control: CallControl) async -> StopReason? {
        let next = CallControl(clock: clock)
        register(next)
        defer { forget(next) }
        if let refusal = next.stopped { return refusal }
        return await control.pause(for: delay)
    }
}
