public import Foundation
public import NetKit
import NetKitSupport

/// A request that a test received.
///
/// It is a ``RecordedRequest`` of a ``MockServer`` or a ``StubRequest`` of a ``StubTransport``. Both have the same members, so
/// one check applies to both.
///
/// ```swift
/// func checkOrder(_ request: some ReceivedRequest) throws {
///     #expect(request.method == .post && request.path == "/orders")
///     #expect(try request.json(as: Order.self).quantity == 2)
/// }
/// ```
public protocol ReceivedRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The method.
    var method: HTTPMethod { get }
    /// The path with its escapes, and the query, as sent.
    var target: String { get }
    /// The header fields in order, with their spelling and repetitions.
    ///
    /// A ``StubRequest`` lacks the fields that the connection adds, such as Host and Content-Length.
    var headers: HTTPHeaders { get }
    /// The body; empty if there is none, or if bodies aren't kept.
    var body: Data { get }
    /// The length of the body in bytes, even if it isn't kept.
    var bodyLength: Int { get }
}

extension ReceivedRequest {
    /// A mirror that contains only the description, which has no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

// The parts of the target.
extension ReceivedRequest {
    /// The path as sent, with its escapes and without the query.
    public var path: String {
        var path = target[...]
        if !path.hasPrefix("/"), let scheme = path.firstRange(of: "://") {
            // The absolute form, which clients send to a proxy.
            path = path[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return String(path[..<(end ?? path.endIndex)])
    }

    /// The path's segments, percent-decoded.
    public var pathSegments: [String] {
        path.split(separator: "/").map { FormFields.percentDecoded($0.utf8, plusIsSpace: false) }
    }

    /// The query items in order, decoded as by a form server: `+` is a space.
    public var query: [(name: String, value: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        return FormFields.items(in: query.utf8)
    }

    /// Returns the decoded value of the first query item with a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The value; nil if there is no such item.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

// The header fields.
extension ReceivedRequest {
    /// Returns the value of the first field with a name, ignoring case.
    public func header(_ name: String) -> String? { headers(named: name).first }

    /// Returns the values of all fields with a name, in order, ignoring case.
    public func headers(named name: String) -> [String] {
        headers.values(for: HTTPHeaderName(name))
    }
}

// The content of the body.
extension ReceivedRequest {
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
        try decoder.decodeBounded(type, from: body)
    }

    /// The decoded items of an `application/x-www-form-urlencoded` body, in order.
    public var form: [(name: String, value: String)] { FormFields.items(in: body) }

    /// The parts of a `multipart/form-data` body, in order; empty for other bodies.
    public var multipart: [MultipartPart] {
        MultipartPart.parts(of: body, contentType: headers[.contentType])
    }
}
