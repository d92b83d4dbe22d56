import Foundation
public import NetKit
import NetKitSupport

extension Endpoint {
    /// Sends a request and polls until the server has the result.
    ///
    /// A 202 response means that the work isn't done (RFC 9110, section 15.3.3). Any other 2xx response is the result,
    /// and any other status code is the call's error. Redirects such as 303 are followed as usual.
    ///
    /// Each further request is a GET without a body. It keeps the request's header fields, except those about the body
    /// and `Idempotency-Key`. Unless it repeats a GET of the same URL, it also loses preconditions, such as `If-Match`,
    /// and `Range`. If the request's retry policy retries its method, it also retries the GET. Its URL is the first of
    /// these:
    ///
    /// 1. The response's `Location`.
    /// 2. The first response's `Content-Location`.
    /// 3. The URL that answered last, without what interceptors changed in it if no redirect led there.
    ///
    /// `Operation-Location` is ignored, because its resource answers 200 before the work is done.
    ///
    /// The delay before each request is the server's `Retry-After` (RFC 9110, section 10.2.3) if that is above 0,
    /// or else that of `backoff`. Each request is retried like any other and has its own ``timeouts``. Downloads can't be polled.
    ///
    /// Canceling the task, or ``cancelAllRequests()``, ends calls and delays at once and throws `.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request that starts the work, with any method.
    ///   - backoff: The delay before each request if the server sends no `Retry-After`. Defaults to 1 second, growing
    ///     by half each time, up to 10 seconds.
    ///   - deadline: The maximum time from the first request to the start of the last. A call in flight then
    ///     continues within the endpoint's ``Timeouts``. Defaults to 10 minutes.
    ///   - followsOtherOrigins: Whether to follow a location at another origin, without credentials. If `false`, such a
    ///     location throws ``PollingFailure/otherOrigin(_:)``. Defaults to `false`.
    /// - Returns: The decoded value and its response. The attempts and the duration cover all requests.
    /// - Throws: The call's ``ErrorResponse``, or ``PollingFailure``.
    public func poll<R: Request>(
        _ request: R,
        backoff: Backoff = .exponential(
            base: .seconds(1),
            factor: 1.5,
            maximum: .seconds(10),
            jitter: false
        ),
        deadline: Duration = .seconds(600),
        followsOtherOrigins: Bool = false
    ) async throws -> Response<R.ResponseObjectType> {
        try request.refuseDownload(to: "to poll for")
        return try await stoppable { control in
            try await poll(request, backoff, deadline, followsOtherOrigins, control)
        }
    }

    private func poll<R: Request>(
        _ request: R,
        _ backoff: Backoff,
        _ deadline: Duration,
        _ followsOtherOrigins: Bool,
        _ control: CallControl
    ) async throws -> Response<R.ResponseObjectType> {
        let start = clock.now
        // Not encoded here as well: the URL may be another one each time.
        let first = Locked<(url: URL, origin: Origin?)?>(nil)
        var call = call(
            request,
            FollowUp { request throws(InvalidRequest) in
                first.withLock { $0 = (request.url, request.origin) }
            }
        )
        var trail: LinkTrail?
        var asked: URL?
        var attempts = 0
        var history: [AttemptTrace] = []
        var count = 0
        while true {
            let response = try await poll(call, of: control)
            attempts += response.attempts
            history += response.history
            let http = response.http
            if let value = response.value {
                return Response(
                    value: value,
                    http: http,
                    cacheOutcome: response.cacheOutcome,
                    attempts: attempts,
                    duration: clock.elapsed(since: start),
                    history: history
                )
            }
            count += 1
            if count == 1, let first = first.withLock({ $0 }) {
                asked = first.url
                trail = first.origin
                    .map { LinkTrail(from: $0, followsOtherOrigins: followsOtherOrigins) }
            }
            let location =
                http.headers.values(for: .location).first
                ?? (count == 1 ? http.headers[.contentLocation] : nil)
            // Interceptors change the URL of each request anew.
            let answered = http.isRedirected ? http.url : asked ?? http.url
            let from = location == nil ? answered : http.url
            let next = try Self.follow(location ?? "", from: from, by: &trail)
            asked = next
            let delay = backoff.pollingPause(
                retryAfter: http.headers[.retryAfter],
                count: count,
                random: Double.random(in: 0...1),
                now: http.headers[.date].flatMap { HTTPDate.parse($0) } ?? clock.date
            )
            guard clock.elapsed(since: start) + delay <= deadline else {
                throw PollingFailure.notReady(after: deadline)
            }
            if let reason = await pause(for: delay, of: control) {
                throw ErrorResponse<R.ErrorType>(CallFailure(reason))
            }
            call = self.call(request, at: next, isForeign: trail?.hasLeftOrigin ?? true)
        }
    }

    /// Runs a call whose value is nil for a 202 response.
    ///
    /// Like ``Endpoint/run(_:of:)``, it runs off the caller's actor.
    @concurrent
    private func poll<R: Request>(
        _ call: Call<R>,
        of work: CallControl
    ) async throws(ErrorResponse<R.ErrorType>) -> Response<R.ResponseObjectType?> {
        register(call.control, of: work)
        defer { forget(call.control, of: work) }
        return try await call.poll()
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
}

/// A reason why polling ended without a result.
///
/// URLs in it are redacted: they have no user, password, or query values.
public enum PollingFailure: Error, Hashable, Sendable {
    /// The result wasn't ready in time: the next request would start after the deadline.
    case notReady(after: Duration)
    /// The location is at another origin, or a response from another origin provided it.
    ///
    /// To allow it, see ``Endpoint/poll(_:backoff:deadline:followsOtherOrigins:)``.
    case otherOrigin(String)
    /// The location isn't an http or https URL, or it downgrades from https to http.
    case invalidLocation(String)
}

extension PollingFailure: CallError, CustomStringConvertible {
    /// Whether the result wasn't ready in time.
    public var isTimeout: Bool { if case .notReady = self { true } else { false } }
    /// The same value as ``isTimeout``.
    public var isTransient: Bool { isTimeout }

    /// A one-line lowercase description without secrets.
    public var description: String {
        switch self {
        case .notReady(let limit): "the result was not ready within \(DurationText(limit))"
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

extension Backoff {
    /// Returns the delay after a response that isn't the result.
    ///
    /// - Parameters:
    ///   - retryAfter: The value of `Retry-After`. A past date, 0, and an invalid value are ignored.
    ///   - count: The number of such responses so far, at least 1.
    ///   - random: The position of the jitter, from 0 to 1.
    ///   - now: The response's own date, for comparing a date in `retryAfter`.
    /// - Returns: The delay.
    func pollingPause(
        retryAfter: String?,
        count: Int,
        random: Double,
        now: Date
    ) -> Duration {
        guard let said = retryAfter.flatMap({ RetryAfter.delay($0, now: now) }), said > .zero else {
            return delay(beforeRetry: count, random: random)
        }
        return said
    }
}

extension Endpoint {
    /// Returns the values of a request that is sent again and again, such as a server's state to watch.
    ///
    /// Nothing is sent until you read. Each element is the value of one call, with its own retries, interceptors and
    /// ``timeouts``. The next call starts after a pause, which begins when the previous call has ended, so that calls
    /// never overlap. The time that you take to handle a value counts towards the pause. If it is longer, the next call
    /// starts as soon as you read.
    ///
    /// With the standard cache policy, each call reloads, so that a fresh response in the cache doesn't answer it.
    ///
    /// The sequence has no end of its own. Leaving the loop sends no further requests. Any error ends the sequence:
    ///
    /// - The call's typed ``ErrorResponse``, which isn't a reason to go on: the call was retried already. Canceling the
    ///   task, or ``cancelAllRequests()``, ends the call or the pause at once and throws `.cancelled`.
    /// - `.transport` with the kind ``TransportError/Kind/unsupported``, before anything is sent, if the pause isn't
    ///   positive, or if the request is a download, because all responses would go to one file.
    ///
    /// Each iterator starts with a call of its own. To wait for one result, use
    /// ``poll(_:backoff:deadline:followsOtherOrigins:)``.
    ///
    /// - Parameters:
    ///   - request: The request, with any method. It is encoded anew for each call.
    ///   - pause: The time from the end of a call to the start of the next one. It must be positive. The endpoint's
    ///     clock measures it.
    /// - Returns: The decoded values, in the order of the calls.
    public func repeating<R: Request>(
        _ request: R,
        every pause: Duration
    ) -> ResponseElements<R.ResponseObjectType> {
        ResponseElements {
            var calls = RepeatedCalls(endpoint: self, request: request, pause: pause)
            return .init { try await calls.next() }
        }
    }
}

/// The calls of a repeated request, one after the other.
private struct RepeatedCalls<R: Request>: Sendable {
    let endpoint: Endpoint
    let request: R
    let pause: Duration
    /// The end of the previous call by the endpoint's clock, or nil before the first one.
    private var end: UInt64?
    private var isOver = false

    init(endpoint: Endpoint, request: R, pause: Duration) {
        self.endpoint = endpoint
        self.request = request
        self.pause = pause
    }

    mutating func next() async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType? {
        guard !isOver else { return nil }
        // Stays over unless another value arrives.
        isOver = true
        var rest: Duration?
        if let end {
            rest = pause - endpoint.clock.elapsed(since: end)
        } else {
            guard pause > .zero else {
                let feature = UnsupportedFeature(
                    "to repeat a request without a pause between calls"
                )
                throw .transport(TransportError(.unsupported, underlying: feature))
            }
            try request.refuseDownload(to: "to repeat")
        }
        let value = try await value(after: rest)
        end = endpoint.clock.now
        isOver = false
        return value
    }

    /// Returns the value of a call after a pause, if any.
    private func value(
        after rest: Duration?
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await endpoint.stoppable { work throws(ErrorResponse<R.ErrorType>) in
            if let rest, let reason = await work.pause(for: rest) {
                throw ErrorResponse(CallFailure(reason))
            }
            var call = endpoint.call(request)
            call.isRepeated = true
            return try await endpoint.run(call, of: work).value
        }
    }
}
