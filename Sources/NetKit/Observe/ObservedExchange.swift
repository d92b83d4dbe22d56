public import Foundation

/// One request as it was sent, and what came of it.
///
/// A redirect, and a response that ``Authentication`` made good, are exchanges of their own; so is a stored response that
/// is used without asking the server. It holds everything that
/// went over the wire, secrets too: what is written down of it goes through a ``Redaction``.
public struct ObservedExchange: Sendable {
    /// The call that it was made for, as in ``CallEvent/callID``.
    public let callID: Int
    /// The type of the request.
    package let requestType: String
    /// Which attempt of the call it belongs to, counted from 1.
    public let attempt: Int
    /// What was sent.
    public let request: EncodedRequest
    /// What came back; nil without a whole response.
    ///
    /// The body of a download or stream is not part of it.
    public let response: HTTPResponse?
    /// How many bytes of the body went to a file or a reader instead; nil where the body is part of ``response``.
    package let streamedLength: Int64?
    /// Why no whole response came, in one line without secrets; nil if one did.
    public let failure: String?
    /// When the request was ready to be sent, by the wall clock.
    public let start: Date
    /// How long it was from then to the end.
    public let duration: Duration
    /// How long the parts of it took.
    public let phases: ExchangePhases
    /// ``CacheOutcome/hit`` or ``CacheOutcome/stale`` where a stored response was used and nothing was sent.
    package let cacheOutcome: CacheOutcome
    /// Until when the stored response is fresh.
    package let expirationDate: Date?

    /// Makes an exchange, as observers get it.
    ///
    /// - Parameters:
    ///   - callID: The call that it was made for.
    ///   - requestType: The type of the request.
    ///   - attempt: Which attempt it belongs to, counted from 1.
    ///   - request: What was sent.
    ///   - response: What came back; nil without a whole response.
    ///   - streamedLength: How many bytes of the body went to a file or a reader instead. Defaults to none.
    ///   - failure: Why no whole response came; nil if one did.
    ///   - start: When the request was ready to be sent.
    ///   - duration: How long it was from then to the end.
    ///   - phases: How long the parts of it took.
    ///   - cacheOutcome: What a cache did. Defaults to nothing.
    ///   - expirationDate: Until when a stored response is fresh. Defaults to nil.
    package init(
        callID: Int,
        requestType: String,
        attempt: Int,
        request: EncodedRequest,
        response: HTTPResponse?,
        streamedLength: Int64? = nil,
        failure: String?,
        start: Date,
        duration: Duration,
        phases: ExchangePhases,
        cacheOutcome: CacheOutcome = .none,
        expirationDate: Date? = nil
    ) {
        self.callID = callID
        self.requestType = requestType
        self.attempt = attempt
        self.request = request
        self.response = response
        self.streamedLength = streamedLength
        self.failure = failure
        self.start = start
        self.duration = duration
        self.phases = phases
        self.cacheOutcome = cacheOutcome
        self.expirationDate = expirationDate
    }
}

extension ObservedExchange: CustomStringConvertible {
    /// The request, and the status or why there is none; no field values, no bodies.
    public var description: String {
        "\(request): \(response.map { "\($0.status)" } ?? failure ?? "no response")"
    }
}
