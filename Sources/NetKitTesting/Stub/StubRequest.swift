public import Foundation
public import NetKit

/// A request that a ``StubTransport`` received.
public struct StubRequest: Sendable {
    /// The number of the request in its transport, counted from 1.
    public let number: Int
    /// The number of the request in its route, counted from 1; 0 without a route.
    public internal(set) var occurrence = 0
    /// The method.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The header fields, without Host and Content-Length.
    public let headers: HTTPHeaders
    /// The body; empty if there is none, or if the transport doesn't keep bodies.
    public let body: Data
    /// The length of the body in bytes, even if it isn't kept.
    public let bodyLength: Int64
    /// The decoded values of the route's placeholders: `["id": "7"]`.
    public internal(set) var parameters: [String: String] = [:]

    init(_ request: EncodedRequest, number: Int, body: ReadBody) {
        self.number = number
        method = request.method
        url = request.url
        headers = request.headers
        self.body = body.data
        bodyLength = body.count
    }
}

// The parts of the URL.
extension StubRequest {
    /// The path as sent, with its escapes and without the query.
    public var path: String { StubAddress(url).path }

    /// The query items in order, decoded as by a form server: `+` is a space.
    public var query: [(name: String, value: String)] { StubAddress(url).query }

    /// Returns the decoded value of the first query item with a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The value; nil if there is no such item.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

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

// The content of the body.
extension StubRequest {
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

    /// The parts of a `multipart/form-data` body, in order; empty for other bodies.
    public var multipart: [MultipartPart] {
        MultipartPart.parts(of: body, contentType: headers[.contentType])
    }
}

extension StubRequest: CustomStringConvertible, CustomReflectable {
    /// The method, redacted URL and body length, without header values or content.
    public var description: String {
        let length = bodyLength > 0 ? " (\(bodyLength) bytes)" : ""
        return "\(method) \(RedactedURL(url))\(length)"
    }

    /// A mirror that contains only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The error for a placeholder's value that can't be converted.
public struct UnreadableParameter: Error, Hashable, Sendable, CustomStringConvertible {
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
