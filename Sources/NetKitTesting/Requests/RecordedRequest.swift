public import Foundation
import NetKit

/// A request that a ``MockServer`` received, as it arrived on the wire.
public struct RecordedRequest: Sendable {
    /// The method as sent, such as `POST`.
    public let method: String
    /// The request target as sent, byte for byte: the path with its escapes, and the query.
    public let target: String
    /// The target's path as sent, without the query and with its escapes.
    public let path: String
    /// The header fields as sent: in order, with their spelling and repetitions.
    public let headers: [(name: String, value: String)]
    /// The body without its chunk framing; empty when the server does not keep bodies.
    public let body: Data
    /// How many bytes the body had, also when they were not kept.
    public let bodyLength: Int
    /// The trailer fields of a chunked body, in order.
    public let trailers: [(name: String, value: String)]
    /// On which connection it came: the first one a server accepts is 1, the next one 2 and so on.
    public let connectionID: Int
    /// How many requests came on that connection before: 0 for the first one.
    public let indexOnConnection: Int
    /// When its head had been read, on the monotonic clock.
    public let headReceivedAt: ContinuousClock.Instant
    /// When its last byte had been read, on the monotonic clock.
    public let receivedAt: ContinuousClock.Instant

    init(
        head: RequestHead,
        body: Data,
        bodyLength: Int,
        trailers: [HeaderField],
        origin: Origin,
        receivedAt: ContinuousClock.Instant
    ) {
        method = head.method
        target = head.target
        path = Self.path(of: head.target)
        headers = head.fields.map { ($0.name, $0.value) }
        self.body = body
        self.bodyLength = bodyLength
        self.trailers = trailers.map { ($0.name, $0.value) }
        connectionID = origin.connectionID
        indexOnConnection = origin.index
        headReceivedAt = origin.headReceivedAt
        self.receivedAt = receivedAt
    }

    /// Where and when a request's head arrived.
    struct Origin {
        var connectionID: Int
        var index: Int
        var headReceivedAt: ContinuousClock.Instant
    }

    /// The value of the first field of that name, in whatever case it was sent.
    public func header(_ name: String) -> String? {
        headers.first { HeaderField(name: $0.name, value: "").isNamed(name) }?.value
    }

    /// The values of all fields of that name, in the order they were sent.
    public func headers(named name: String) -> [String] {
        headers.filter { HeaderField(name: $0.name, value: "").isNamed(name) }.map(\.value)
    }
}

// What the target says.
extension RecordedRequest {
    /// The query's items in order, decoded as a form server would: `+` is a space.
    public var query: [(name: String, value: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        return FormFields.items(in: query.utf8)
    }

    /// The decoded value of the query's first item of that name.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The segments of the path between its slashes, each percent-decoded.
    public var pathSegments: [String] {
        path.split(separator: "/").map { FormFields.percentDecoded($0.utf8, plusIsSpace: false) }
    }

    private static func path(of target: String) -> String {
        var path = target[...]
        if !path.hasPrefix("/"), let scheme = path.firstRange(of: "://") {
            // The absolute form, in which a client talks to a proxy.
            path = path[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return String(path[..<(end ?? path.endIndex)])
    }
}

// What the body says.
extension RecordedRequest {
    /// The body as text; what is not UTF-8 is replaced by U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body decoded from JSON.
    ///
    /// - Parameters:
    ///   - type: What to decode; inferred where the result's type is known.
    ///   - decoder: How to decode it. The default is a decoder with default settings.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` if the body is no JSON of that form.
    public func json<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }

    /// The items of an `application/x-www-form-urlencoded` body, in order and decoded.
    public var form: [(name: String, value: String)] { FormFields.items(in: body) }
}

extension RecordedRequest: CustomStringConvertible {
    /// The method, the target and the body's length, without headers or content.
    public var description: String { "\(method) \(target) (\(bodyLength) bytes)" }
}
