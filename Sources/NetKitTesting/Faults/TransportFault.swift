public import NetKit
import NetKitSupport

/// A failure between an endpoint and its server.
public enum TransportFault: Hashable, Sendable {
    /// The host refuses the connection, and nothing is sent.
    case refuseConnection
    /// The connection is lost before the request is sent.
    case loseBeforeRequest
    /// The connection is lost before the response's first byte.
    ///
    /// The request was sent and answered, so the server may have acted on it.
    case loseBeforeResponse
    /// The response breaks off after a number of body bytes.
    ///
    /// A shorter body is unaffected.
    case cut(afterBodyBytes: Int)
    /// The body arrives in portions of `bytes` bytes, with a pause before each.
    case drip(bytes: Int, every: Duration)
    /// The transport answers with a status itself, and sends nothing.
    ///
    /// The response has a `Retry-After` in whole seconds if you set one.
    case answer(HTTPStatus, retryAfter: Duration? = nil)

    /// Creates a 429 response with a `Retry-After`.
    ///
    /// - Parameter wait: The time to wait, rounded up to whole seconds. Defaults to one second.
    /// - Returns: The fault.
    public static func tooManyRequests(retryAfter wait: Duration = .seconds(1)) -> TransportFault {
        .answer(429, retryAfter: wait)
    }

    /// Creates a 503 response with a `Retry-After`.
    ///
    /// - Parameter wait: The time to wait, rounded up to whole seconds. Defaults to one second.
    /// - Returns: The fault.
    public static func unavailable(retryAfter wait: Duration = .seconds(1)) -> TransportFault {
        .answer(503, retryAfter: wait)
    }
}

extension TransportFault: CustomStringConvertible {
    /// A description in one lowercase line.
    public var description: String {
        switch self {
        case .refuseConnection: "the connection was refused"
        case .loseBeforeRequest: "the connection was lost before the request"
        case .loseBeforeResponse: "the connection was lost before the response"
        case .cut(let count): "the body was cut after \(count) bytes"
        case .drip(let count, let interval):
            "the body dripped, \(count) bytes every \(DurationText(interval))"
        case .answer(let status, let wait):
            "answered \(status)" + (wait.map { ", with Retry-After \(DurationText($0))" } ?? "")
        }
    }
}

/// A fault that a ``FaultyTransport`` injected.
public struct InjectedFault: Hashable, Sendable, CustomStringConvertible {
    /// The number of the request, counted from 1.
    public let number: Int
    /// The request's method and URL, without the query's values.
    public let request: String
    /// The fault.
    public let fault: TransportFault

    /// A description in one line:
    /// `request 3, GET https://host/path: the body was cut after 10 bytes`.
    public var description: String { "request \(number), \(request): \(fault)" }
}
