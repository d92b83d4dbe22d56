public import Foundation

/// What every error of a call, a stream, a page, a poll or a download has in common, whatever its `ErrorType`.
///
/// ```swift
/// do {
///     show(try await endpoint.value(for: Feed()))
/// } catch let error as any CallError where !error.isCancellation {
///     alert(error.message, canTryAgain: error.isTransient)
/// }
/// ```
public protocol CallError: Error, LocalizedError, Sendable {
    /// One line for people: the server's own words, else what failed and why.
    var message: String { get }
    /// Whether the call, or the task that waited for it, was cancelled. Defaults to false.
    var isCancellation: Bool { get }
    /// Whether a deadline passed. Defaults to false.
    var isTimeout: Bool { get }
    /// Whether sending the same request again could succeed. Defaults to false.
    ///
    /// True after a failed or lost connection, a timeout, and the statuses of ``RetryPolicy/standard``: 408, 429, 500, 502,
    /// 503 and 504. Whether it is safe to send it again is another question; see ``RetryPolicy``.
    var isTransient: Bool { get }
    /// The response, if a whole one arrived. Defaults to nil.
    var response: HTTPResponse? { get }
    /// The error that led to this one, if there is one. Defaults to nil.
    var underlyingError: (any Error)? { get }
}

extension CallError {
    public var isCancellation: Bool { false }
    public var isTimeout: Bool { false }
    public var isTransient: Bool { false }
    public var response: HTTPResponse? { nil }
    public var underlyingError: (any Error)? { nil }

    /// The same line as ``message``.
    public var errorDescription: String? { message }
}

extension CallError where Self: CustomStringConvertible {
    /// The same line as the description.
    public var message: String { description }
}

extension TransportError: CallError {
    public var isTransient: Bool { kind.isTransient }
    /// The same as ``underlying``.
    public var underlyingError: (any Error)? { underlying }
}

extension InvalidRequest: CallError {}

extension HTTPStatus {
    /// Whether the same request may succeed later.
    var isTransient: Bool { RetryPolicy.standard.statuses.contains(self) }
}
