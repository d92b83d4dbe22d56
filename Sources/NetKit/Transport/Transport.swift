public import Foundation

/// The one seam to the network: sends a request once and reports what comes of it.
///
/// A transport knows no redirects, retries, timeouts or credentials; ``Endpoint`` does all that.
/// ``URLSessionTransport`` is the default. Write one of your own to answer without a network in
/// tests, or to send over another HTTP implementation.
public protocol Transport: Sendable {
    /// Starts to send `request` and returns at once.
    ///
    /// The receiver hears, in this order and never on two threads at a time:
    /// ``TransportEvent/started`` once, ``TransportEvent/sent(_:)`` any number of times, then
    /// ``TransportEvent/head(_:)`` once and ``TransportEvent/body(_:)`` any number of times, and
    /// ``TransportEvent/finished(_:)`` exactly once and last, whatever happens. A server that answers
    /// before it has everything may have more sent to it after the head. The receiver may hear the
    /// first events before this function has returned.
    ///
    /// - Parameters:
    ///   - request: What to send. Send it as it is: everything was checked and nothing is missing
    ///     but Host and Content-Length.
    ///   - receiver: Whom to tell. It never blocks. Let go of it after the last event.
    /// - Returns: The exchange, to cancel it.
    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange

    /// Whether a body may be a sequence that is sent while it comes; see ``BodySource/sequence``.
    ///
    /// False by default.
    var sendsSequences: Bool { get }
}

extension Transport {
    public var sendsSequences: Bool { false }
}

/// A request on its way.
public protocol TransportExchange: AnyObject, Sendable {
    /// Ends the exchange as soon as possible. Returns at once, from any thread, at any moment, any
    /// number of times; after the end it does nothing.
    func cancel()
    /// Asks for no more of the body until ``resume()``, so that the server is held back.
    ///
    /// What is on its way already may still come, which is not to be much. It returns at once, from
    /// any thread; cancelling goes through all the same.
    ///
    /// - Returns: Whether the exchange can do so. The default cannot, and returns false.
    func pause() -> Bool
    /// Asks for the rest of the body after ``pause()``; without one it does nothing. The default does
    /// nothing.
    func resume()
}

extension TransportExchange {
    public func pause() -> Bool { false }
    public func resume() {}
}

/// Hears what comes of a request.
public protocol TransportReceiver: AnyObject, Sendable {
    /// Takes the next event.
    ///
    /// - Parameter event: What happened.
    func receive(_ event: TransportEvent)
}

/// One step of an exchange.
public enum TransportEvent: Sendable {
    /// The request has one of the host's connections to itself: idle time counts from here.
    case started
    /// So many bytes of the body have been handed over since the exchange began.
    case sent(Int64)
    /// The final head has arrived; informational (1xx) ones are left out.
    case head(ResponseHead)
    /// The next bytes of the body, decompressed.
    case body(Data)
    /// The exchange is over: nil when the response is whole.
    case finished(TransportFailure?)
}

/// How an exchange ended without a whole response.
public enum TransportFailure: Error, Sendable {
    /// ``TransportExchange/cancel()`` was called.
    case cancelled
    /// The transport failed.
    case failed(TransportError)
}
