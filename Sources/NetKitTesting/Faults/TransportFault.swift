public import NetKit

/// Something that goes wrong between an endpoint and whatever answers it.
public enum TransportFault: Hashable, Sendable {
    /// The host refuses the connection: nothing is sent.
    case refuseConnection
    /// The connection is lost before anything is sent.
    case loseBeforeRequest
    /// The request is sent and answered, and the connection is lost before the answer's first byte: the
    /// server may have acted on it.
    case loseBeforeResponse
    /// The response breaks off after so many bytes of its body; a shorter one is left alone.
    case cut(afterBodyBytes: Int)
    /// The response's body comes so many bytes at a time, with a pause before each portion.
    case drip(bytes: Int, every: Duration)
    /// Nothing is sent, and this status is the answer, with a `Retry-After` in whole seconds if there is
    /// one.
    case answer(HTTPStatus, retryAfter: Duration? = nil)

    /// A 429 that asks to be left alone for a while.
    ///
    /// - Parameter wait: How long, rounded up to whole seconds. Defaults to a second.
    /// - Returns: The fault.
    public static func tooManyRequests(retryAfter wait: Duration = .seconds(1)) -> TransportFault {
        .answer(429, retryAfter: wait)
    }

    /// A 503 that asks to be left alone for a while.
    ///
    /// - Parameter wait: How long, rounded up to whole seconds. Defaults to a second.
    /// - Returns: The fault.
    public static func unavailable(retryAfter wait: Duration = .seconds(1)) -> TransportFault {
        .answer(503, retryAfter: wait)
    }
}

extension TransportFault: CustomStringConvertible {
    /// One lower-case line.
    public var description: String {
        switch self {
        case .refuseConnection: "the connection was refused"
        case .loseBeforeRequest: "the connection was lost before the request"
        case .loseBeforeResponse: "the connection was lost before the response"
        case .cut(let count): "the body was cut after \(count) bytes"
        case .drip(let count, let interval): "the body dripped, \(count) bytes every \(interval)"
        case .answer(let status, let wait):
            "answered \(status)" + (wait.map { ", to be tried again after \($0)" } ?? "")
        }
    }
}

/// A fault that a ``FaultyTransport`` brought about.
public struct InjectedFault: Hashable, Sendable, CustomStringConvertible {
    /// Which of the transport's requests met with it, counted from 1.
    public let number: Int
    /// The request: its method, and its URL without the query's values.
    public let request: String
    /// What went wrong.
    public let fault: TransportFault

    /// One line: `request 3, GET https://host/path: the body was cut after 10 bytes`.
    public var description: String { "request \(number), \(request): \(fault)" }
}
