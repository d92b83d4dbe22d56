public import Foundation
public import NetKit

/// A request as a test got it: a ``RecordedRequest`` of a ``MockServer``, or a ``StubRequest`` of a transport for tests.
///
/// Both have the same members, so that a check written for one holds for the other.
///
/// ```swift
/// func checkOrder(_ request: some ReceivedRequest) throws {
///     #expect(request.method == .post && request.path == "/orders")
///     #expect(try request.json(as: Order.self).quantity == 2)
/// }
/// ```
public protocol ReceivedRequest: Sendable, CustomStringConvertible {
    /// The method.
    var method: HTTPMethod { get }
    /// The path with its escapes, and the query, as sent.
    var target: String { get }
    /// The header fields in order, with their spelling and repetitions; those of a ``StubRequest`` lack the fields that the
    /// connection adds, such as Host and Content-Length.
    var headers: HTTPHeaders { get }
    /// The body; empty without one, and where bodies are not kept.
    var body: Data { get }
    /// How many bytes the body had, also where they were not kept.
    var bodyLength: Int { get }
}

// What the target says.
extension ReceivedRequest {
    /// The path as it is sent, with its escapes and without the query.
    public var path: String {
        var path = target[...]
        if !path.hasPrefix("/"), let scheme = path.firstRange(of: "://") {
            // The absolute form, in which a client talks to a proxy.
            path = path[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return String(path[..<(end ?? path.endIndex)])
    }

    /// The segments of the path between its slashes, each percent-decoded.
    public var pathSegments: [String] {
        path.split(separator: "/").map { FormFields.percentDecoded($0.utf8, plusIsSpace: false) }
    }

    /// The query's items in order, decoded as a form server would: `+` is a space.
    public var query: [(name: String, value: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        return FormFields.items(in: query.utf8)
    }

    /// The decoded value of the query's first item of that name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The value, nil if there is no such item.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

// What the header fields say.
extension ReceivedRequest {
    /// The value of the first field of that name, in whatever case it was sent.
    public func header(_ name: String) -> String? { headers(named: name).first }

    /// The values of all fields of that name, in the order they were sent.
    public func headers(named name: String) -> [String] {
        headers.values(for: HTTPHeaderName(name))
    }
}

// What the body says.
extension ReceivedRequest {
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
