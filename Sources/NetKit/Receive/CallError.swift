public import Foundation

/// The requirements shared by all errors of calls, streams, pages, polls, and downloads.
///
/// Catch this type to handle any failure, whatever the request's `ErrorType`:
///
/// ```swift
/// do {
///     show(try await endpoint.value(for: Feed()))
/// } catch let error as any CallError where !error.isCancellation {
///     alert(error.message, canTryAgain: error.isTransient)
/// }
/// ```
public protocol CallError: Error, LocalizedError, Sendable {
    /// A one-line message to show to people.
    ///
    /// It is the server's own message if there is one. Otherwise it says what failed and why.
    var message: String { get }
    /// Whether the call or its awaiting task was canceled.
    ///
    /// Defaults to `false`.
    var isCancellation: Bool { get }
    /// Whether a timeout or deadline expired.
    ///
    /// Defaults to `false`.
    var isTimeout: Bool { get }
    /// Whether the same request could succeed later.
    ///
    /// Defaults to `false`. True for a failed or lost connection, a timeout, and the retryable status codes of
    /// ``RetryPolicy/standard``: 408, 429, 500, 502, 503, and 504. It doesn't say whether resending the request is
    /// safe. For that, see ``RetryPolicy``.
    var isTransient: Bool { get }
    /// The complete response, if one arrived.
    ///
    /// Defaults to nil.
    var response: HTTPResponse? { get }
    /// The error that caused this one, if any.
    ///
    /// Defaults to nil.
    var underlyingError: (any Error)? { get }
}

extension CallError {
    public var isCancellation: Bool { false }
    public var isTimeout: Bool { false }
    public var isTransient: Bool { false }
    public var response: HTTPResponse? { nil }
    public var underlyingError: (any Error)? { nil }

    /// The same text as ``message``.
    public var errorDescription: String? { message }
}

extension CallError where Self: CustomStringConvertible {
    /// The same text as `description`.
    public var message: String { description }
}

extension TransportError: CallError {
    public var isTransient: Bool { kind.isTransient }
    /// The same error as ``underlying``.
    public var underlyingError: (any Error)? { underlying }
}

extension InvalidRequest: CallError {}

extension HTTPStatus {
    /// Whether a request that failed with this status code could succeed later.
    var isTransient: Bool { RetryPolicy.standard.statuses.contains(self) }
}
