public import Foundation
import NetKit

/// A request as a ``MockServer`` received it.
public struct RecordedRequest: Sendable {
    /// The method as sent, such as `POST`.
    public let method: String
    /// The request target as sent: the path with its escapes, and the query.
    public let target: String
    /// The target's path, as sent, with its escapes and without the query.
    public let path: String
    /// The header fields, as sent: in order, with their case and repetitions.
    public let headers: [(name: String, value: String)]
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

    /// The connection and the time of a request's head.
    struct Origin {
        var connectionID: Int
        var index: Int
        var headReceivedAt: ContinuousClock.Instant
    }

    /// Returns the value of the first field with a name, ignoring case.
    public func header(_ name: String) -> String? {
        headers.first { HeaderField(name: $0.name, value: "").isNamed(name) }?.value
    }

    /// Returns the values of all fields with a name, in order, ignoring case.
    public func headers(named name: String) -> [String] {
        headers.filter { HeaderField(name: $0.name, value: "").isNamed(name) }.map(\.value)
    }
}

// The parts of the target.
extension RecordedRequest {
    /// The query items in order, decoded as by a form server: `+` is a space.
    public var query: [(name: String, value: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        return FormFields.items(in: query.utf8)
    }

    /// Returns the decoded value of the first query item with a name.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The path's segments, percent-decoded.
    public var pathSegments: [String] {
        path.split(separator: "/").map { FormFields.percentDecoded($0.utf8, plusIsSpace: false) }
    }

    private static func path(of target: String) -> String {
        var path = target[...]
        if !path.hasPrefix("/"), let scheme = path.firstRange(of: "://") {
            // The absolute form, which clients send to a proxy.
            path = path[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return String(path[..<(end ?? path.endIndex)])
    }
}

// The content of the body.
extension RecordedRequest {
    /// The body as text.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns a value decoded from the body's JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode. Defaults to the inferred type.
    ///   - decoder: The decoder. Defaults to one with default settings.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` if the body doesn't match the type.
    public func json<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }

    /// The decoded items of an `application/x-www-form-urlencoded` body, in order.
    public var form: [(name: String, value: String)] { FormFields.items(in: body) }
}

extension RecordedRequest: CustomStringConvertible {
    /// The method, target and body length, without header values or content.
    public var description: String { "\(method) \(target) (\(bodyLength) bytes)" }
}
