import Foundation

extension Endpoint {
    /// Sends `request`, and as long as the answer is 202 asks again, until the result is there.
    ///
    /// A 202 says that the work is not done (RFC 9110, section 15.3.3). The next request is a GET
    /// without a body, of the address in the response's `Location`; without one in `Content-Location`,
    /// if it is the first response; else of the address that answered. The request's header fields go
    /// along, but for those about its body and `Idempotency-Key`. Any 2xx but 202 is the result, and
    /// anything else the call's error; a redirect such as 303 is followed as always. `Operation-Location`
    /// is left alone: what is there answers 200 before the work is done.
    ///
    /// Before each request there is a wait, as long as `Retry-After` says (RFC 9110, section 10.2.3), else
    /// by `pauses`. Cancelling the task, and ``cancelAllRequests()``, end calls and waits at once, and
    /// `.cancelled` is thrown. Each call is tried again as any other, and has its own ``timeouts``.
    /// A download cannot be polled for.
    ///
    /// - Parameters:
    ///   - request: Asks for the work; any method.
    ///   - pauses: The wait before each request, where the server doesn't say one by `Retry-After`. Defaults to a
    ///     second, half as much again each time, up to 10 seconds.
    ///   - limit: How long after the first request the last one may begin. Defaults to 10 minutes. A call in flight by
    ///     then goes on, within the endpoint's ``Timeouts``.
    ///   - followsOtherOrigins: Whether to follow a location at another origin, without credentials and anything else
    ///     of the endpoint. By default such a location is ``PollingFailure/otherOrigin(_:)``.
    /// - Returns: The value, decoded as the request says, with the response it came in; how often all
    ///   of the requests were sent, and the time since the first.
    /// - Throws: The call's ``ErrorResponse``, or ``PollingFailure``.
    public func poll<R: Request>(
        _ request: R,
        pauses: Backoff = .exponential(
            base: .seconds(1),
            factor: 1.5,
            maximum: .seconds(10),
            jitter: false
        ),
        limit: Duration = .seconds(600),
        followsOtherOrigins: Bool = false
    ) async throws -> Response<R.ResponseObjectType> {
        try request.refuseDownload(to: "to poll for")
        let start = clock.now
        var call = call(request)
        var trail = try call.encoded().origin
            .map { LinkTrail(from: $0, followsOtherOrigins: followsOtherOrigins) }
        var attempts = 0
        var count = 0
        while true {
            let response = try await poll(call)
            attempts += response.attempts
            let http = response.http
            if let value = response.value {
                return Response(
                    value: value,
                    http: http,
                    cacheOutcome: response.cacheOutcome,
                    attempts: attempts,
                    duration: clock.elapsed(since: start)
                )
            }
            count += 1
            let location =
                http.headers[.location] ?? (count == 1 ? http.headers[.contentLocation] : nil)
            let next = try Self.follow(location ?? "", from: http.url, by: &trail)
            let pause = pauses.pollingPause(
                retryAfter: http.headers[.retryAfter],
                count: count,
                random: Double.random(in: 0...1),
                now: clock.date
            )
            guard clock.elapsed(since: start) + pause <= limit else {
                throw PollingFailure.notReady(after: limit)
            }
            guard await wait(for: pause) else {
                throw ErrorResponse<R.ErrorType>.cancelled
            }
            call = self.call(request, at: next, isForeign: trail?.hasLeftOrigin ?? true)
        }
    }

    /// Runs a call whose value is nil as long as the response is 202.
    private func poll<R: Request>(
        _ call: Call<R>
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType?> {
        register(call.control)
        defer { forget(call.control) }
        return try await call.poll().get()
    }

    private static func follow(
        _ location: String,
        from response: URL,
        by trail: inout LinkTrail?
    ) throws -> URL {
        do throws(LinkTrail.Refusal) {
            guard let url = try trail?.follow(location, from: response) else {
                throw .invalid(RedactedURL(response).description)
            }
            return url
        } catch {
            throw PollingFailure(error)
        }
    }

    /// Waits for a delay.
    ///
    /// - Returns: Whether it has passed; if not, the wait was cancelled.
    private func wait(for delay: Duration) async -> Bool {
        let control = CallControl(clock: clock)
        register(control)
        defer { forget(control) }
        await control.pause(for: delay)
        return control.stopped == nil
    }
}

/// Why a result was given up; addresses are without user, password and query values.
public enum PollingFailure: Error, Hashable, Sendable {
    /// The result was not ready in time: the next request would have come after the limit.
    case notReady(after: Duration)
    /// The address to ask is at another origin than the request, or the response that names it came from
    /// there.
    ///
    /// See ``Endpoint/poll(_:pauses:limit:followsOtherOrigins:)``.
    case otherOrigin(String)
    /// The address to ask is no http or https URL, or it is http and the response came by https.
    case invalidLocation(String)
}

extension PollingFailure: CallError, CustomStringConvertible {
    /// Whether the result was not ready in time.
    public var isTimeout: Bool { if case .notReady = self { true } else { false } }
    /// The same as ``isTimeout``.
    public var isTransient: Bool { isTimeout }

    /// One lower-case line without secrets.
    public var description: String {
        switch self {
        case .notReady(let limit): "the result was not ready within \(limit)"
        case .otherOrigin(let address): "the result is on another origin: \(address)"
        case .invalidLocation(let address): "invalid Location of the result: \(address)"
        }
    }
}

extension PollingFailure {
    init(_ refusal: LinkTrail.Refusal) {
        switch refusal {
        case .invalid(let address): self = .invalidLocation(address)
        case .otherOrigin(let address): self = .otherOrigin(address)
        }
    }
}
