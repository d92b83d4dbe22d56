public import Foundation
public import NetKit

/// A request as a transport for tests got it: what would have gone over the wire.
public struct StubRequest: Sendable {
    /// Which of the transport's requests it is, counted from 1.
    public let number: Int
    /// Which of its route's requests it is, counted from 1; 0 where no route answers it.
    public internal(set) var occurrence = 0
    /// The method.
    public let method: HTTPMethod
    /// The whole address.
    public let url: URL
    /// The header fields, without Host and Content-Length.
    public let headers: HTTPHeaders
    /// The body; empty without one, and where the transport does not keep bodies.
    public let body: Data
    /// How many bytes the body had, also where they were not kept.
    public let bodyLength: Int64
    /// What stands for the placeholders of the route that answers it, decoded: `["id": "7"]`.
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

// What the address says.
extension StubRequest {
    /// The path as it is sent, with its escapes and without the query.
    public var path: String { StubAddress(url).path }

    /// The query's items in order, decoded as a form server would: `+` is a space.
    public var query: [(name: String, value: String)] { StubAddress(url).query }

    /// The decoded value of the query's first item of that name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The value, nil if there is no such item.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// What stands for a placeholder, as a number or another value that is written as text.
    ///
    /// - Parameters:
    ///   - name: The placeholder's name: `id` for `{id}`.
    ///   - type: What to read; inferred where the result's type is known.
    /// - Returns: The value.
    /// - Throws: ``UnreadableParameter`` if there is no such placeholder or its text is no such value.
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

// What the body says.
extension StubRequest {
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

    /// The parts of a `multipart/form-data` body, in order; none if the body is no such thing.
    public var multipart: [MultipartPart] {
        MultipartPart.parts(of: body, contentType: headers[.contentType])
    }
}

extension StubRequest: CustomStringConvertible, CustomReflectable {
    /// Method, URL without its query values, and the body's length; no field values, no content.
    public var description: String {
        let length = bodyLength > 0 ? " (\(bodyLength) bytes)" : ""
        return "\(method) \(RedactedURL(url))\(length)"
    }

    /// Shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A placeholder of a route that a request gives no such value for.
public struct UnreadableParameter: Error, Hashable, Sendable, CustomStringConvertible {
    /// The placeholder's name.
    public let name: String
    /// What stands for it, nil where the route has no such placeholder.
    public let text: String?
    /// What it was to be.
    public let type: String

    /// One lower-case line.
    public var description: String {
        guard let text else { return "the route has no placeholder {\(name)}" }
        return "{\(name)} is \(text.debugDescription), which is no \(type)"
    }
}
