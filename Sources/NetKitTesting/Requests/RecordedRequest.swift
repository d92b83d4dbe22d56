public import Foundation
public import NetKit
import NetKitSupport

/// A request that a ``MockServer`` received, as it arrived on the wire.
public struct RecordedRequest: ReceivedRequest {
    /// The method as sent.
    public let method: HTTPMethod
    /// The request target as sent: the path with its escapes, and the query.
    public let target: String
    /// The header fields as sent: in order, with their spelling and repetitions.
    public let headers: HTTPHeaders
    /// The decoded body; empty if the server doesn't keep bodies.
    public let body: Data
    /// The length of the body in bytes, even if it isn't kept.
    public let bodyLength: Int
    /// The trailer fields of a chunked body, in order.
    public let trailers: [(name: String, value: String)]
    /// The number of the request's connection, counted from 1 in the order of acceptance.
    public let connectionID: Int
    /// The number of earlier requests on that connection; 0 for the first.
    public let indexOnConnection: Int
    /// The time when the head had been read, on the monotonic clock.
    public let headReceivedAt: ContinuousClock.Instant
    /// The time when the last byte had been read, on the monotonic clock.
    public let receivedAt: ContinuousClock.Instant

    init(
        head: RequestHead,
        body: Data,
        bodyLength: Int,
        trailers: [HeaderField],
        origin: Origin,
        receivedAt: ContinuousClock.Instant
    ) {
        method = HTTPMethod(rawValue: head.method)
        target = head.target
        headers = head.fields.reduce(into: HTTPHeaders()) { headers, field in
            headers.append(field.value, for: HTTPHeaderName(field.name))
        }
        self.body = body
        self.bodyLength = bodyLength
        self.trailers = trailers.map { ($0.name, $0.value) }
        connectionID = origin.connectionID
        indexOnConnection = origin.index
        headReceivedAt = origin.headReceivedAt
        self.receivedAt = receivedAt
    }

    /// The connection and the time of a request's head.
    struct Origin {
        var connectionID: Int
        var index: Int
        var headReceivedAt: ContinuousClock.Instant
    }
}

extension RecordedRequest {
    /// The method, target and body length, without query values, header values or content.
    public var description: String {
        "\(method) \(RedactedURL(target: target)) (\(bodyLength) bytes)"
    }
}
