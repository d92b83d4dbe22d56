public import Foundation
public import NetKit
import NetKitSupport

/// A request that a ``StubTransport`` received.
public struct StubRequest: ReceivedRequest {
    /// The number of the request in its transport, counted from 1.
    public let number: Int
    /// The number of the request in its route, counted from 1; 0 without a route.
    public internal(set) var occurrence = 0
    /// The method.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The path with its escapes, and the query, as they are sent.
    public var target: String { StubAddress(url).target }
    /// The header fields, without Host and Content-Length.
    public let headers: HTTPHeaders
    /// The body; empty if there is none, or if the transport doesn't keep bodies.
    public let body: Data
    /// How many bytes the body had, also where they were not kept.
    public let bodyLength: Int
    /// The decoded values of the route's placeholders: `["id": "7"]`.
    public internal(set) var parameters: [String: String] = [:]

    init(_ request: EncodedRequest, number: Int, body: ReadBody) {
        self.number = number
        method = request.method
        url = request.url
        headers = request.headers
        self.body = body.data
        bodyLength = Int(clamping: body.count)
    }
}

// The parts of the URL.
extension StubRequest {
    /// Returns the value of a placeholder, converted from its text.
    ///
    /// - Parameters:
    ///   - name: The placeholder's name: `id` for `{id}`.
    ///   - type: The type of the value. Defaults to the inferred type.
    /// - Returns: The value.
    /// - Throws: ``UnreadableParameter`` if the placeholder doesn't exist or its text has another
    ///   format.
    public func parameter<Value: LosslessStringConvertible>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws -> Value {
        guard let text = parameters[name], let value = Value(text) else {
            throw UnreadableParameter(name: name, text: parameters[name], type: "\(type)")
        }
        return value
    }
}

extension StubRequest {
    /// The method, redacted URL and body length, without header values or content.
    public var description: String {
        let length = bodyLength > 0 ? " (\(bodyLength) bytes)" : ""
        return "\(method) \(RedactedURL(url))\(length)"
    }
}

/// The error for a placeholder's value that can't be converted.
public struct UnreadableParameter: DescribedCause, Hashable, Sendable {
    /// The placeholder's name.
    public let name: String
    /// The placeholder's text; nil if the route has no such placeholder.
    public let text: String?
    /// The requested type.
    public let type: String

    /// A description in one lowercase line.
    public var description: String {
        guard let text else { return "the route has no placeholder {\(name)}" }
        return "{\(name)} is \(text.debugDescription), which isn't a valid \(type)"
    }
}
