public import Foundation

/// The interface to the network, which sends one request once and reports its events.
///
/// Redirects, retries, timeouts, and credentials belong to ``Endpoint``, not to the transport. The default is
/// ``URLSessionTransport``. Implement your own to answer requests in tests without a network, or to send them over
/// another HTTP implementation.
public protocol Transport: Sendable {
    /// Starts to send a request and returns at once.
    ///
    /// The receiver gets these events, in this order and never concurrently:
    ///
    /// 1. ``TransportEvent/started``, at most once.
    /// 2. ``TransportEvent/sent(_:)``, any number of times. If the server answers early, more can follow the head.
    /// 3. ``TransportEvent/head(_:)``, once.
    /// 4. ``TransportEvent/body(_:)``, any number of times.
    /// 5. ``TransportEvent/finished(_:)``, exactly once and last, whatever happens.
    ///
    /// The first events can arrive before this method returns.
    ///
    /// - Parameters:
    ///   - request: The request to send. Send it as it is: it is valid and complete except for `Host` and
    ///     `Content-Length`.
    ///   - receiver: The receiver of the events. It doesn't block, unless the exchange has no backpressure and a disk is
    ///     slower than the network. Release it after the last event.
    /// - Returns: The exchange, for canceling it.
    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange

    /// Whether the transport can send a body while its sequence produces it.
    ///
    /// Defaults to `false`. See ``BodySource/sequence``.
    var sendsSequences: Bool { get }
}

extension Transport {
    public var sendsSequences: Bool { false }
}

/// A request in flight on a transport.
public protocol TransportExchange: AnyObject, Sendable {
    /// Ends the exchange as soon as possible.
    ///
    /// It returns at once. It can be called from any thread, at any time, and more than once. After the exchange has
    /// ended, it does nothing.
    func cancel()
    /// Stops reading the body until ``resume()``, so that the server slows down.
    ///
    /// A small amount of data in flight may still arrive. The method returns at once and can be called from any thread.
    /// A paused exchange can still be canceled.
    ///
    /// - Returns: Whether the exchange supports pausing. The default implementation returns `false`.
    func pause() -> Bool
    /// Resumes reading the body after ``pause()``.
    ///
    /// Without an earlier pause, it does nothing. The default implementation does nothing.
    func resume()
}

extension TransportExchange {
    public func pause() -> Bool { false }
    public func resume() {}
}

/// A receiver of the events of an exchange.
public protocol TransportReceiver: AnyObject, Sendable {
    /// Receives the next event.
    ///
    /// - Parameter event: The event.
    func receive(_ event: TransportEvent)
}

/// An event of an exchange.
public enum TransportEvent: Sendable {
    /// The request has left the transport's queue.
    ///
    /// The idle timeout starts here, and covers connecting.
    case started
    /// The total number of body bytes passed to the connection so far.
    case sent(Int64)
    /// The final head arrived.
    ///
    /// Informational (1xx) heads aren't reported.
    case head(ResponseHead)
    /// The next decompressed bytes of the body.
    case body(Data)
    /// The exchange ended.
    ///
    /// The value is nil if the response is complete.
    case finished(ExchangeFailure?)
}

/// A reason why an exchange ended without a complete response.
public enum ExchangeFailure: Error, Sendable {
    /// The exchange was canceled by ``TransportExchange/cancel()``.
    case cancelled
    /// The transport failed.
    case failed(TransportError)
}
